import { LEDGER_FILTER_NAMES, type LedgerFilterName } from '../../../../src/model/ledger.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { SearchForm } from '../../../ui/form/SearchForm.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { DateField } from '../DateField.tsx';
import { EVERYTHING, isBackwards, type LedgerRequest } from './ledgerAddress.ts';

const NAMES: Readonly<Record<LedgerFilterName, string>> = {
  payments: 'Payments',
  invoices: 'Invoices of plans',
  refunds: 'Refunds',
  disputes: 'Disputes',
  credits: 'Credits',
  audits: 'Audits paid with credits or funds',
  plans: 'Plans',
};
const KINDS = [['', 'Everything'], ...LEDGER_FILTER_NAMES.map((name) => [name, NAMES[name]] as const)] as const;

interface LedgerFormProps {
  asked: LedgerRequest;
  /** Those of the ledger. */
  currencies: readonly string[];
  onAsk: (asked: LedgerRequest) => void;
}

/** Which rows are shown, summed up, and downloaded. Every change loads at once. */
export function LedgerForm({ asked, currencies, onAsk }: LedgerFormProps) {
  const change = (some: Partial<LedgerRequest>): void => onAsk({ ...asked, ...some });
  const isFiltered = Object.values(asked).some((value) => value !== '');
  // One that no row has: the server says so.
  const known =
    asked.currency === '' || currencies.includes(asked.currency) ? currencies : [asked.currency, ...currencies];
  return (
    <Card title="What to show">
      <SearchForm
        className="max-w-2xl"
        label="Invoice number, code, email, or any id"
        clear="End the search"
        value={asked.search}
        onSearch={(search) => change({ search })}
      />
      <div className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField label="Kind" value={asked.kind} choices={KINDS} onChange={(kind) => change({ kind })} />
        <SelectField
          label="Currency"
          value={asked.currency}
          choices={[['', 'All'], ...known.map((currency) => [currency, currency.toUpperCase()] as const)]}
          onChange={(currency) => change({ currency })}
        />
        <DateField label="From" type="date" value={asked.from} onDate={(from) => change({ from })} />
        <DateField
          label="To"
          type="date"
          value={asked.to}
          error={isBackwards(asked) ? 'Before the first day' : null}
          onDate={(to) => change({ to })}
        />
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
        <p className="max-w-[70ch]">
          Search by id of a user, a job (deleted ones, too), or the payment provider: customer, payment, subscription,
          invoice, refund, dispute. Days are UTC, both included.
        </p>
        {isFiltered && (
          <Button variant="quiet" className="ml-auto" onClick={() => onAsk(EVERYTHING)}>
            Show everything
          </Button>
        )}
      </div>
    </Card>
  );
}
