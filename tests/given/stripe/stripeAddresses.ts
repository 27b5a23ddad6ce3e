/**
 * Stripe's addresses for a browser: its script and frames are stand-ins, its API is the payment sandbox. Nothing goes
 * to the network.
 */
import { readFileSync } from 'node:fs';
import type { BrowserContext, Route } from 'playwright-core';
import type { PaymentSandbox } from '../../../src/paymentSandbox/paymentSandbox.ts';
import { STRIPE_OPTIONS } from './options.ts';

export type StripeAddresses = {
  /** Requests for the script, one for each page load. */
  readonly scripts: string[];
  /** Publishable keys sent by pages. */
  readonly keys: Set<string>;
};

type At = Pick<PaymentSandbox, 'url' | 'secretKey' | 'publishableKey'>;

const FIELDS = {
  payment: [
    ['number', 'Card number'],
    ['expires', 'Expiration date MM / YY'],
    ['cvc', 'Security code'],
  ],
  address: [
    ['name', 'Full name'],
    ['line1', 'Address line 1'],
    ['city', 'City'],
    ['state', 'State'],
    ['postal_code', 'ZIP'],
  ],
} as const;

const fileOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const script = (): string =>
  `(() => { const known = ${JSON.stringify(STRIPE_OPTIONS)};\n${fileOf('./standIn.js')}})();`;
const frameScript = (type: string): string => `(() => { const type = '${type}';\n${fileOf('./frame.js')}})();`;

const STYLE =
  'body{margin:0;font:14px sans-serif;color:#808080}label{display:block;margin-bottom:12px}input{display:block;width:95%;font:inherit;padding:6px}';

function framePage(type: keyof typeof FIELDS): string {
  const inputs = FIELDS[type].map(([name, label]) => `<label>${label}<input name="${name}"></label>`).join('');
  return `<!doctype html><html lang="en"><title>Fields</title><style>${STYLE}</style>${inputs}<script>${frameScript(type)}</script>`;
}

const BANK_PAGE = `<!doctype html><html lang="en"><title>Bank</title><body style="background:#fff"><h1>3-D Secure</h1>
<form method="post"><button name="answer" value="succeed">Complete</button><button name="answer" value="fail">Fail</button></form>`;
const BANK_DONE = `<!doctype html><html lang="en"><title>Bank</title><script>parent.postMessage('answered', '*')</script>`;

export async function serveStripe(
  context: BrowserContext,
  sandbox: At,
  publishableKey: string,
): Promise<StripeAddresses> {
  const served: StripeAddresses = { scripts: [], keys: new Set() };
  const html = (route: Route, body: string): Promise<void> =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body });

  await context.route('https://js.stripe.com/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/endive/elements-inner-payment.html') return html(route, framePage('payment'));
    if (pathname === '/endive/elements-inner-address.html') return html(route, framePage('address'));
    if (pathname !== '/endive/stripe.js') return route.abort();
    served.scripts.push(pathname);
    return route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script() });
  });

  await context.route('https://hooks.stripe.com/**', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return html(route, BANK_PAGE);
    const intent = new URL(request.url()).pathname.split('/').at(-1);
    const outcome = new URLSearchParams(request.postData() ?? '').get('answer');
    const headers = { authorization: `Bearer ${sandbox.secretKey}` };
    const answer = await fetch(`${sandbox.url}/control/challenges`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ intent, outcome }),
    });
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
    return html(route, BANK_DONE);
  });

  // The key in Stripe's format differs from the sandbox's.
  await context.route('https://api.stripe.com/**', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const form = request.method() === 'POST' ? new URLSearchParams(request.postData() ?? '') : url.searchParams;
    const key = form.get('key') ?? '';
    served.keys.add(key);
    form.delete('key');
    const to = `${sandbox.url}${url.pathname}${request.method() === 'POST' ? '' : `?${form.toString()}`}`;
    const headers = { authorization: `Bearer ${key === publishableKey ? sandbox.publishableKey : key}` };
    const answer = await fetch(to, {
      method: request.method(),
      headers,
      ...(request.method() === 'POST' ? { body: form } : {}),
    });
    const { origin = '*' } = request.headers();
    return route.fulfill({
      status: answer.status,
      headers: { 'access-control-allow-origin': origin },
      contentType: 'application/json',
      body: await answer.text(),
    });
  });
  return served;
}
