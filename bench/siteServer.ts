/** Process of its own: serves the generated site on loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sitePage } from './sitePages.ts';

export type SiteOrder = { readonly pages: number; readonly bytes: number };

process.on('message', ({ pages, bytes }: SiteOrder) => {
  const bodies = Array.from({ length: pages }, (_, page) => Buffer.from(sitePage(page, pages, bytes)));
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const page = path === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? -1);
    const body = bodies[page];
    if (body)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length }).end(request.method === 'HEAD' ? undefined : body);
    else if (path.startsWith('/images/')) response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    else if (path === '/site.css') response.writeHead(200, { 'content-type': 'text/css' }).end('body{}');
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
