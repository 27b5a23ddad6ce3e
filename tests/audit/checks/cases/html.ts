/** Short ways to write pages in case tables. */
import { words } from '../../../given/audit/page.ts';

export const LONG = `<p>${words(260)}</p>`;

export function head(inside: string, body = `<main><h1>Tea</h1>${LONG}</main>`): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${inside}</head><body>${body}</body></html>`;
}

export function body(inside: string): string {
  return head('<title>Tea and teapots by hand</title>', inside);
}

export function main(inside: string): string {
  return body(`<main>${inside}</main>`);
}

export function ld(node: unknown): string {
  return `<script type="application/ld+json">${typeof node === 'string' ? node : JSON.stringify(node)}</script>`;
}

export const SCHEMA = { '@context': 'https://schema.org' };

/** Pages that nobody sees, because they only lead elsewhere. */
export const STUBS: readonly string[] = [
  '<!doctype html><html lang="en"><head><title>Moved</title><meta http-equiv="refresh" content="0; url=/new"></head><body></body></html>',
  '<!doctype html><html lang="en"><head><title>Moved</title><script>location.replace("/new")</script></head><body></body></html>',
];
