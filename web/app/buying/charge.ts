import type { SubscriptionStatus } from '../../features/account/subscription/subscriptionApi.ts';
import type { ReportPrice } from '../../features/payments/paymentsApi.ts';
import { moneyText } from '../../ui/text/money.ts';
import { count } from '../../ui/text/wording.ts';

export interface Charge {
  /** '$50.00 of your funds' */
  readonly takes: string;
  /** What is left afterwards: 'Balance after: $0.00.' Empty when nothing that was paid for is taken. */
  readonly after: string;
}

/** What the next audit takes; null while its price is needed and unknown. */
export function chargeOf({ usage, balance }: SubscriptionStatus, price: ReportPrice | undefined): Charge | null {
  switch (balance.paysNext) {
    case 'plan':
      return {
        takes: 'one audit of your plan',
        after: `Left after: ${Math.max(0, usage.limit - usage.used - 1)} of ${usage.limit}.`,
      };
    case 'credits':
      return { takes: 'one of your credits', after: `Balance after: ${count(balance.credits - 1, 'credit')}.` };
    case 'funds':
      return price
        ? {
            takes: `${moneyText(price.unit_amount, price.currency)} of your funds`,
            after: `Balance after: ${moneyText(balance.funds - price.unit_amount, price.currency)}.`,
          }
        : null;
    default:
      return { takes: 'one audit', after: '' };
  }
}
