/** Pages of the payment provider's dashboard, which only Stripe has. */
import type { LedgerRowView } from '../../../../src/http/contract/admin/ledger.ts';
import type { SystemStatus } from '../../../api/system.ts';

const ROOTS: Readonly<Partial<Record<SystemStatus['payments'], string>>> = {
  live: 'https://dashboard.stripe.com',
  test: 'https://dashboard.stripe.com/test',
};

/** By the beginning of an id. A refund is shown with its payment. */
const PAGES: Readonly<Record<string, string>> = {
  pi: 'payments',
  in: 'invoices',
  sub: 'subscriptions',
  dp: 'disputes',
  du: 'disputes',
};

type Ids = Pick<LedgerRowView, 'object_id' | 'payment_id' | 'subscription_id'>;

/** The id that says most about a row, and its page; null: a row without one, or an id without a page. */
export function providerObject(
  { object_id, payment_id, subscription_id }: Ids,
  payments: SystemStatus['payments'],
): { readonly id: string; readonly url: string | null } | null {
  const id = object_id ?? payment_id ?? subscription_id;
  if (id === null) return null;
  const root = ROOTS[payments];
  const shown = id.startsWith('re_') ? payment_id : id;
  const page = PAGES[shown?.split('_')[0] ?? ''];
  const url = root === undefined || page === undefined ? null : `${root}/${page}/${encodeURIComponent(shown ?? '')}`;
  return { id, url };
}
