/** Routing of the hosted pages. */
import type { SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { challengePage } from './challengePage.ts';
import { checkoutPage } from './checkoutPage.ts';
import { day, html, money, NOTHING, notFound, pageWith, testCards } from './layout.ts';
import type { PageAnswer, PageRequest } from './page.ts';
import { portalPage } from './portalPage.ts';

function receiptPage(context: SandboxContext, id: string): PageAnswer {
  const charge = context.store.get('charge', id);
  if (!charge?.paid) return notFound();
  const refunded =
    charge.amount_refunded === 0 ? '' : ` ${money(charge.amount_refunded, charge.currency)} of it was refunded.`;
  return pageWith(
    'Receipt',
    html`<p>${money(charge.amount, charge.currency)} was paid on ${day(charge.created)} with the card ending in ${charge.payment_method_details?.card?.last4 ?? ''}.${refunded}</p>`,
  );
}

function invoicePage(context: SandboxContext, id: string): PageAnswer {
  const invoice = context.store.get('invoice', id);
  if (!invoice) return notFound();
  const lines = invoice.lines.data.map(
    (line) =>
      html`<tr><td>${line.description ?? ''}</td><td class="number">${money(line.amount, invoice.currency)}</td></tr>`,
  );
  const off = invoice.total_discount_amounts?.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
  const discount =
    off === 0 ? NOTHING : html`<tr><td>Discount</td><td class="number">−${money(off, invoice.currency)}</td></tr>`;
  const to = idOf(invoice.customer) === null ? '' : (invoice.customer_name ?? invoice.customer_email ?? '');
  return pageWith(
    `Invoice ${invoice.number ?? ''}`,
    html`<p>${to}</p><p>${day(invoice.created)}, ${invoice.status ?? ''}</p><table><thead><tr><th scope="col">What</th><th scope="col" class="number">Amount</th></tr></thead><tbody>${lines}${discount}<tr><th scope="row">Total</th><td class="number"><strong>${money(invoice.total, invoice.currency)}</strong></td></tr></tbody></table>`,
  );
}

const home = (): PageAnswer =>
  pageWith(
    'Payment sandbox',
    html`<p>This server speaks the payment provider's API for testing. Programs use it at <code>/v1</code>.</p>${testCards()}`,
  );

const PAGES: Readonly<Record<string, (context: SandboxContext, id: string, request: PageRequest) => PageAnswer>> = {
  challenge: challengePage,
  checkout: checkoutPage,
  invoices: invoicePage,
  portal: portalPage,
  receipts: receiptPage,
};

/** The page at a path. */
export function hostedPage(context: SandboxContext, request: PageRequest): PageAnswer {
  if (request.path === '/') return home();
  const [, name = '', id = '', ...more] = request.path.split('/');
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  return page && id !== '' && more.length === 0 ? page(context, id, request) : notFound();
}
