/** Which page stands at which address. */
import type { Desk } from '../books/desk.ts';
import { challengePage } from './challengePage.ts';
import { day, html, money, notFound, pageWith, testCards } from './layout.ts';
import type { PageAnswer, PageRequest } from './page.ts';

function receiptPage(desk: Desk, id: string): PageAnswer {
  const charge = desk.store.get('charge', id);
  if (!charge?.paid) return notFound();
  const refunded = charge.amount_refunded === 0 ? '' : ` ${money(charge.amount_refunded, charge.currency)} of it was refunded.`;
  return pageWith(
    'Receipt',
    html`<p>${money(charge.amount, charge.currency)} was paid on ${day(charge.created)} with the card that ends in ${charge.payment_method_details?.card?.last4 ?? ''}.${refunded}</p>`,
  );
}

const home = (): PageAnswer =>
  pageWith(
    'Payment sandbox',
    html`<p>This server speaks the payment provider's API for trying and testing. Programs talk to it at <code>/v1</code>.</p>${testCards()}`,
  );

const PAGES: Readonly<Record<string, (desk: Desk, id: string, request: PageRequest) => PageAnswer>> = {
  challenge: challengePage,
  receipts: receiptPage,
};

/** The page at an address. */
export function hostedPage(desk: Desk, request: PageRequest): PageAnswer {
  if (request.path === '/') return home();
  const [, name = '', id = '', ...more] = request.path.split('/');
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  return page && id !== '' && more.length === 0 ? page(desk, id, request) : notFound();
}
