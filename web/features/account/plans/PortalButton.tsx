import { ExternalLink } from 'lucide-react';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { usePortal } from './usePortal.ts';

export function PortalButton({ label }: { label: string }) {
  const { open, busy, problem, blockedUrl } = usePortal();
  return (
    <>
      <Button busy={busy} onClick={() => void open()}>
        {label}
        <ExternalLink aria-hidden="true" size={14} />
        <span className="sr-only">(opens in a new window)</span>
      </Button>
      {problem && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {problem}
        </p>
      )}
      {blockedUrl && (
        <p role="status" className="mt-2">
          Your browser blocked the new window.{' '}
          <a href={blockedUrl} target="_blank" rel="noopener noreferrer" className={buttonClasses('secondary', 'ml-1')}>
            Go to the billing portal
          </a>
        </p>
      )}
    </>
  );
}

export function BillingPortal() {
  return (
    <Card title="Billing Portal">
      <p className="mb-3">
        Update your card, download invoices and see your payments on the payment provider’s own pages.
      </p>
      <PortalButton label="Open billing portal" />
    </Card>
  );
}
