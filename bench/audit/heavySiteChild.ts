/** Process of its own: serves a site built to fill the memory of whoever audits it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HeavySiteOrder = { readonly pages: number; readonly bytes: number };

const LONG = 'x'.repeat(1_900);

/** Long addresses, texts of two bytes a character, and faults of many kinds. */
function heavyPage(page: number, { pages, bytes }: HeavySiteOrder): string {
  const links = Array.from({ length: 60 }, (_, n) => `<a href="/p${(page * 7 + n) % pages}-${LONG}">click here</a>`);
  const metas = Array.from({ length: 60 }, (_, n) => `<meta property="og:image" content="/${page}-${n}-${LONG}.png">`);
  let html = `<html><head><title>Title 字 ${LONG}</title>${metas.join('')}</head><body><h1>a</h1><h1>b</h1>${links.join('')}`;
  for (let n = 0; html.length < bytes; n += 1)
    html += `<a href="/in/${page}/${n}/${LONG}">here</a><img src="/missing/${page}-${n}-${LONG}.png"><h4>${'字'.repeat(190)}</h4>`;
  return html;
}

process.on('message', (order: HeavySiteOrder) => {
  const bodies = Array.from({ length: order.pages }, (_, page) => Buffer.from(heavyPage(page, order)));
  const server = createServer((request, response) => {
    for (let n = 0; n < 10; n += 1) response.setHeader(`x-${n}`, LONG);
    const path = request.url ?? '/';
    const body = bodies[/^\/(?:\?|$)/.test(path) ? 0 : Number(/^\/p(\d+)-/.exec(path)?.[1] ?? -1)];
    if (body) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    else response.writeHead(404);
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
