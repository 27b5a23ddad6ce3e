import { Suspense } from 'react';
import { lazily } from '../../../ui/lazily.ts';
import type { PaymentConfig } from '../paymentsApi.ts';
import type { CardFieldsProps } from './cardHandle.ts';
import { FieldsSkeleton } from './FieldsSkeleton.tsx';

const SandboxCard = lazily(() => import('./SandboxCard.tsx'), 'SandboxCard');
const StripeCard = lazily(() => import('./StripeCard.tsx'), 'StripeCard');

interface CardEntryProps extends CardFieldsProps {
  config: PaymentConfig;
  amount: number;
  currency: string;
}

/** Card, name and address fields of the configured payment provider. */
export function CardFields({ amount, currency, ...fields }: CardEntryProps) {
  return (
    <Suspense fallback={<FieldsSkeleton />}>
      {fields.config.mode === 'sandbox' ? (
        <SandboxCard {...fields} />
      ) : (
        <StripeCard {...fields} amount={amount} currency={currency} />
      )}
    </Suspense>
  );
}
