/** The layout of all hosted pages: plain, light and dark, from 360 px, and labelled as a sandbox. */
import { CARDS } from '../payments/cards.ts';
import type { PageAnswer } from './page.ts';

/** HTML that is safe to include in a page. */
export type Html = { readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const shown = (value: Html | readonly Html[] | number | string): string => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
};

/** Escapes interpolated text. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (Html | readonly Html[] | number | string)[]
): Html {
  return { html: parts.reduce((text, part, index) => `${text}${shown(values[index - 1] ?? '')}${part}`) };
}

export const NOTHING: Html = { html: '' };

const STYLE = `
:root { color-scheme: light dark; --line: #8c8c8c; --soft: #f3f4f6; --text: #16181d; --back: #fff; --act: #1d4ed8; --on-act: #fff; --bad: #b91c1c; --note: #fef3c7; --on-note: #453003; }
@media (prefers-color-scheme: dark) { :root { --line: #7d8590; --soft: #1c2128; --text: #eceef1; --back: #0f1216; --act: #93b4ff; --on-act: #0b1220; --bad: #ff9d94; --note: #4a3a05; --on-note: #fdf3cf; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
.sandbox { background: var(--note); color: var(--on-note); padding: .75rem 1rem; text-align: center; font-weight: 600; margin: 0; }
main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: 1rem 0; } h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem; }
label { display: block; margin: .75rem 0 .25rem; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; padding: .5rem; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: .375rem; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: end; }
button { min-height: 2.75rem; padding: .5rem 1rem; margin: 1rem .5rem 0 0; font: inherit; font-weight: 600; color: var(--on-act); background: var(--act); border: 1px solid var(--act); border-radius: .375rem; cursor: pointer; }
button.plain { color: var(--text); background: transparent; border-color: var(--line); }
button.small { margin: 0; }
a { color: var(--act); } :focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
.error { border: 2px solid var(--bad); color: var(--bad); border-radius: .375rem; padding: .75rem; font-weight: 600; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 600; padding: .5rem 0; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } td.number, th.number { text-align: right; white-space: nowrap; } td.end, th.end { text-align: right; } tr > :last-child { padding-right: 0; }
details { margin-top: 1.5rem; } summary { font-weight: 600; cursor: pointer; min-height: 1.5rem; } .name { text-transform: capitalize; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
section { background: var(--soft); border-radius: .5rem; padding: .25rem 1rem 1rem; margin: 1rem 0; }
code { font-size: .95em; white-space: nowrap; }`;

/** A whole page. */
export function pageWith(title: string, content: Html, status = 200): PageAnswer {
  const { html: text } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} – payment sandbox</title><style>${{ html: STYLE }}</style></head>
<body><p class="sandbox" role="note">Payment sandbox: no real card is charged, no money moves.</p><main><h1>${title}</h1>${content}</main></body></html>
`;
  return { status, html: text };
}

export const notFound = (): PageAnswer =>
  pageWith('Page not found', html`<p>This page does not exist, or it has expired.</p>`, 404);

const spaced = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

/** The test card numbers and their outcomes. */
export function testCards(state: 'open' | 'closed' = 'open'): Html {
  return html`<details${{ html: state === 'open' ? ' open' : '' }}><summary>Test cards</summary><p>Use any future date and any security code.</p>
<div class="wide" tabindex="0" role="region" aria-label="Test cards"><table><thead><tr><th scope="col">Number</th><th scope="col">What the card does</th></tr></thead><tbody>${CARDS.map(
    (card) => html`<tr><td><code>${spaced(card.number)}</code></td><td>${card.does}</td></tr>`,
  )}</tbody></table></div></details>`;
}

/** The card form fields. The number is prefilled, since most visitors want just that. */
export function cardFields(name = ''): Html {
  return html`<label for="name">Name on card</label><input id="name" name="name" autocomplete="cc-name" value="${name}" required>
<label for="number">Card number</label><input id="number" name="number" inputmode="numeric" autocomplete="cc-number" value="4242 4242 4242 4242" required>
<div class="two"><div><label for="expires">Expires (MM/YY)</label><input id="expires" name="expires" autocomplete="cc-exp" value="12/34" pattern="\\s*\\d{1,2}\\s*/\\s*\\d{2}\\s*" required></div>
<div><label for="cvc">Security code</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" value="123" required></div></div>`;
}

export const errorBox = (message: string | null): Html =>
  message === null ? NOTHING : html`<p class="error" role="alert">${message}</p>`;

export const hiddenToken = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`;

/** Formats an amount in its currency. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(amount / 100);
}

/** Formats a day, in UTC. */
export const day = (seconds: number): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(seconds * 1_000));
