/**
 * A small shop with intentional faults, served on its own port, so that users can run a first audit without a site of
 * their own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderPage } from './layout.ts';
import { PICTURES } from './pictures.ts';
import { missingPage, PAGES, REDIRECTS, robotsFile, sitemapFile } from './siteFiles.ts';
import { STYLES } from './styles.ts';

export type DemoSiteOptions = {
  /** 0 picks any free port. */
  readonly port: number;
  readonly host: string;
  /** How long the slow page takes. Default 250 ms. */
  readonly slowMs?: number;
};

export type DemoSite = {
  /** Includes the actual port, without a trailing slash. */
  readonly url: string;
  /** Also drops open connections. Idempotent. */
  close(): Promise<void>;
};

type Answer = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly location?: string;
  readonly slow?: boolean;
};

const HTML = 'text/html; charset=utf-8';

function answerTo(path: string, origin: string): Answer {
  const redirect = REDIRECTS[path];
  if (redirect !== undefined) return { status: 301, type: HTML, body: '', location: redirect };
  const page = PAGES.find((candidate) => candidate.path === path);
  if (page) return { status: 200, type: HTML, body: renderPage(page, origin), slow: page.slow === true };
  const picture = PICTURES[path];
  if (picture !== undefined) return { status: 200, type: 'image/svg+xml', body: picture };
  if (path === '/assets/site.css') return { status: 200, type: 'text/css; charset=utf-8', body: STYLES };
  if (path === '/robots.txt') return { status: 200, type: 'text/plain; charset=utf-8', body: robotsFile(origin) };
  if (path === '/sitemap.xml')
    return { status: 200, type: 'application/xml; charset=utf-8', body: sitemapFile(origin) };
  return { status: 404, type: HTML, body: renderPage(missingPage(path), origin) };
}

/** The origin that the visitor used. The Host header is untrusted, so anything but a plain host and port is ignored. */
function originOf(request: IncomingMessage): string {
  const host = request.headers.host ?? '';
  if (/^[a-z0-9.-]{1,253}(:\d{1,5})?$/i.test(host) || /^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/i.test(host))
    return `http://${host.toLowerCase()}`;
  return `http://localhost:${request.socket.localPort ?? 80}`;
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body),
    ...(answer.location === undefined ? {} : { location: answer.location }),
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}

function handle(request: IncomingMessage, response: ServerResponse, slowMs: number): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0, connection: 'close' }).end();
    return;
  }
  const path = (request.url ?? '/').replace(/[?#].*$/, '');
  const answer = answerTo(path, originOf(request));
  if (!answer.slow || slowMs === 0) {
    send(request, response, answer);
    return;
  }
  const timer = setTimeout(() => send(request, response, answer), slowMs);
  response.on('close', () => clearTimeout(timer));
}

/** @throws if the port is in use (EADDRINUSE) */
export async function startDemoSite({ port, host, slowMs = 250 }: DemoSiteOptions): Promise<DemoSite> {
  const server = createServer((request, response) => handle(request, response, slowMs));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const taken = (server.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
