import { LedgerScreen } from '../../../features/admin/ledger/LedgerScreen.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminLedgerPage() {
  usePageTitle('Ledger');
  return (
    <div className="space-y-4">
      <header>
        <h1 className="text-xl sm:text-2xl">Ledger</h1>
        <p className="mt-1 max-w-[70ch] text-muted">
          Payments, refunds, disputes, invoices, credits and plan changes: one row for each billing event.
        </p>
      </header>
      <LedgerScreen />
    </div>
  );
}
