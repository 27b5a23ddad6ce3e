/** Process of its own: serves the generated site on loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sitePage } from './sitePages.ts';

/** `delayMs`: how long each answer takes, as of a site that is far away. */
export type SiteOrder = { readonly pages: number; readonly bytes: number; readonly delayMs?: number };

process.on('message', ({ pages, bytes, delayMs = 0 }: SiteOrder) => {
  const bodies = Array.from({ length: pages }, (_, page) => Buffer.from(sitePage(page, pages, bytes)));
  const server = createServer(async (request, response) => {
    if (delayMs > 0) await wait(delayMs);
    const path = request.url ?? '/';
    const page = path === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? -1);
    const body = bodies[page];
    if (body)
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length })
        .end(request.method === 'HEAD' ? undefined : body);
    else if (path.startsWith('/images/'))
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    else if (path === '/site.css') response.writeHead(200, { 'content-type': 'text/css' }).end('body{}');
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
