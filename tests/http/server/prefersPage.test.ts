/** Compared with the negotiator of Koa, whose time is not linear. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import Koa, { type Context } from 'koa';
import { expect, it } from 'vitest';
import { prefersPage } from '../../../src/http/request/prefersPage.ts';

const koa = new Koa();
function asking(accept: string | undefined): Context {
  const request = new IncomingMessage(new Socket());
  if (accept !== undefined) request.headers.accept = accept;
  return koa.createContext(request, new ServerResponse(request)) as Context;
}

it.each<[string | undefined, boolean]>([
  [undefined, true],
  ['*/*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['application/json', false],
  ['application/json, text/html', false],
  ['text/html, application/json', true],
  ['text/html;q=0.5, application/json', false],
  ['text/*, application/json;q=0.9', true],
  ['image/png', false],
  ['text/html;q=0', false],
  ['TEXT/HTML', true],
])('Accept: %s', (accept, expected) => {
  expect(prefersPage(asking(accept))).toBe(expected);
});

it('agrees with the negotiator about any Accept header', () => {
  const range = fc.tuple(
    fc.constantFrom('text/html', 'text/*', 'application/json', 'application/*', '*/*', 'image/png'),
    fc.constantFrom('', ';q=1', ';q=0.9', ';q=0.5', '; q=0', ';q=0.5;x=y'),
    fc.constantFrom(',', ', '),
  );
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 6 }), (ranges) => {
      const ctx = asking(
        ranges.map(([type, quality, comma], nth) => `${nth > 0 ? comma : ''}${type}${quality}`).join(''),
      );
      expect(prefersPage(ctx)).toBe(ctx.accepts('html', 'json') === 'html');
      expect(prefersPage(ctx, false)).toBe(ctx.accepts('json', 'html') === 'html');
    }),
    { numRuns: 1_000 },
  );
});
