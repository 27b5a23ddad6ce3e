/** Serves a fixture site from its folder on loopback: files under `pages/`, everything else as in `site.json`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export type SiteFile = {
  /** Sent with every HTML response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with every other file. */
  readonly fileHeaders?: Readonly<Record<string, string>>;
  /** Default true: responses are compressed if the client accepts it. */
  readonly compress?: boolean;
  /** More hosts of the same server: other sites, or old names of this one. */
  readonly names?: readonly string[];
  /** A path whose file is served with 200 for missing paths. */
  readonly fallback?: string;
  /** Path → differences. */
  readonly paths?: Readonly<
    Record<
      string,
      { readonly status?: number; readonly location?: string; readonly headers?: Readonly<Record<string, string>> }
    >
  >;
};

export type SiteServer = {
  readonly origin: string;
  readonly host: string;
  /** All hosts of the server, with the port. */
  readonly hosts: readonly string[];
  readonly close: () => Promise<void>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.ico': 'image/x-icon',
};

export const SITES = fileURLToPath(new URL('../sites/', import.meta.url));

export function siteNames(): string[] {
  return readdirSync(SITES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * `pages/teas/index.html` is /teas/, `pages/about.html` is /about, other files have their own names. `{{origin}}`
 * becomes the site's origin, `{{port}}` its port.
 */
function filesOf(name: string): ReadonlyMap<string, string> {
  const folder = join(SITES, name, 'pages');
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).replaceAll('\\', '/')}`;
    files.set(path.replace(/(?:index)?\.html$/, '').replace(/^$/, '/'), file);
  }
  return files;
}

/** The addresses of its files. */
export const pathsOf = (name: string): readonly string[] => [...filesOf(name).keys()];

export async function startSite(name: string): Promise<SiteServer> {
  const config = join(SITES, name, 'site.json');
  const site: SiteFile = existsSync(config) ? JSON.parse(readFileSync(config, 'utf8')) : {};
  const files = filesOf(name);
  const server = createServer((request, response) =>
    answer(request, response, site, files, `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    hosts: ['127.0.0.1', ...(site.names ?? [])].map((name) => `${name}:${port}`),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  site: SiteFile,
  files: ReadonlyMap<string, string>,
  origin: string,
): void {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const given = site.paths?.[path] ?? {};
  const file = files.get(path) ?? files.get(site.fallback ?? '');
  const type =
    file === undefined
      ? 'text/html; charset=utf-8'
      : (TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream');
  const body =
    file === undefined ? Buffer.from('<!doctype html><title>Not found</title>') : content(file, type, origin);
  const zipped =
    site.compress !== false && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && body.length > 200;
  response.writeHead(given.status ?? (given.location !== undefined ? 301 : file === undefined ? 404 : 200), {
    'content-type': type,
    ...(type.startsWith('text/html') ? site.headers : site.fileHeaders),
    ...(request.method === 'HEAD' ? { 'content-length': String(body.length) } : {}),
    ...given.headers,
    ...(given.location === undefined ? {} : { location: filled(given.location, origin) }),
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : zipped ? gzipSync(body) : body);
}

function content(file: string, type: string, origin: string): Buffer {
  const bytes = readFileSync(file);
  // As bytes: not every page is UTF-8.
  return /^(?:text|application\/(?:xml|manifest))/.test(type)
    ? Buffer.from(filled(bytes.toString('latin1'), origin), 'latin1')
    : bytes;
}

function filled(text: string, origin: string): string {
  return text.replaceAll('{{origin}}', origin).replaceAll('{{port}}', new URL(origin).port);
}
