/** A small well-behaved site on loopback, given as a table of paths. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TestPage =
  | string
  | {
      readonly body?: string | Uint8Array;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | string[]>>;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export type TestSite = {
  readonly origin: string;
  readonly host: string;
  /** `METHOD /path`, in the order of arrival. */
  readonly requests: string[];
  /** The highest number of concurrent requests. */
  readonly mostAtOnce: () => number;
  /** Paths can be added or changed while it runs. */
  readonly pages: Record<string, TestPage>;
  readonly close: () => Promise<void>;
};

/** A string is served as an HTML page; `*` is for every other path. */
export async function startTestSite(pages: Record<string, TestPage>): Promise<TestSite> {
  const requests: string[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    most = Math.max(most, ++open);
    response.once('close', () => open--);
    const path = request.url ?? '/';
    respond(
      pages[path] ?? pages[path.split('?')[0] ?? ''] ?? pages['*'] ?? { status: 404, body: 'not found' },
      request,
      response,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    mostAtOnce: () => most,
    pages,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function respond(page: TestPage, request: IncomingMessage, response: ServerResponse): void {
  if (typeof page === 'function') {
    page(request, response);
    return;
  }
  const { body = '', status = 200, headers = {} } = typeof page === 'string' ? { body: page } : page;
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function htmlPage(title: string, ...links: readonly string[]): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main></body></html>`;
}
