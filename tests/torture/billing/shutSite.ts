/** A site whose robots.txt shuts out every crawler: its audits are completed, and the first ones given back. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ShutSite = { readonly url: string; readonly host: string; close(): Promise<void> };

export async function startShutSite(): Promise<ShutSite> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/robots.txt' ? 200 : 404, { 'content-type': 'text/plain' });
    response.end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /\n' : 'Not here.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/`,
    host,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
