import { LedgerScreen } from '../../../features/admin/ledger/LedgerScreen.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminLedgerPage() {
  usePageTitle('Ledger');
  return (
    <div className="space-y-4">
      <header>
        <h1 className="text-xl sm:text-2xl">Ledger</h1>
        <p className="mt-1 max-w-[70ch] text-muted">
          Every payment, refund, dispute, invoice, credit, and change of a plan, one row for each event of a bill.
        </p>
      </header>
      <LedgerScreen />
    </div>
  );
}
