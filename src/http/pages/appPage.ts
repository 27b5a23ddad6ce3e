/**
 * The web app's single HTML page, with preload links for the scripts a URL will need, so that they are fetched in
 * parallel.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type AppPage = {
  readonly html: string;
  /** Strong, quoted. */
  readonly etag: string;
};

/** The page for a path of this site, or null if the app is not built. */
export type AppPages = (path: string) => AppPage | null;

/** Reads `index.html` and, if present, `preloads.json` (route → files) of the built web app. */
export function loadAppPages(webDir: string | null): AppPages {
  const index = webDir === null ? null : textOf(join(webDir, 'index.html'));
  if (webDir === null || index === null) return () => null;
  const routes = JSON.parse(textOf(join(webDir, 'preloads.json')) ?? '{}') as Readonly<
    Record<string, readonly string[]>
  >;
  const plain = pageOf(index);
  const pages = Object.entries(routes).map(([route, files]) => ({
    matches: matcherOf(route),
    page: pageOf(withPreloads(index, files)),
  }));
  return (path) => {
    const given = path.split('/');
    return pages.find(({ matches }) => matches(given))?.page ?? plain;
  };
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function pageOf(html: string): AppPage {
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"` };
}

function withPreloads(html: string, files: readonly string[]): string {
  const links = files.map((file) => `<link rel="modulepreload" crossorigin href="${file}" />`);
  return html.replace('</head>', () => `${links.join('\n    ')}\n  </head>`);
}

/** Routes are in the router's notation: `/shared/:token`. */
function matcherOf(route: string): (given: readonly string[]) => boolean {
  const parts = route.split('/');
  return (given) =>
    given.length === parts.length &&
    parts.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]));
}
