/** What a browser must load before a page of the web app is usable: gzip, from the build. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const DIST = fileURLToPath(new URL('../dist/web', import.meta.url));

const PAGES = [
  { page: 'log-in page', chunk: /^loginpage/i, limit: 112_000 },
  { page: 'jobs page', chunk: /^(home|signedin)/i, limit: 154_000 },
  { page: 'jobs page with its rows', chunk: /^(home|signedin|jobslist)/i, limit: 172_000 },
] as const;

export type PageScripts = {
  readonly page: string;
  readonly files: readonly string[];
  readonly bytes: number;
  readonly limit: number;
};

/** Files that a chunk imports at once; what it imports on demand does not count. */
function staticImports(code: string): readonly string[] {
  return [...code.matchAll(/(?:^|[;}\n])\s*(?:import|export)\b[^'"();]*?["']\.\/([\w.$-]+\.js)["']/g)].map(
    (match) => match[1] ?? '',
  );
}

function closure(assets: ReadonlyMap<string, string>, entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string) => {
    const code = assets.get(name);
    if (code === undefined || reached.has(name)) return;
    reached.add(name);
    staticImports(code).forEach(visit);
  };
  entries.forEach(visit);
  return reached;
}

const gzipped = (text: string) => gzipSync(text, { level: 9 }).length;

/** The pages that have a budget, with the scripts that each needs. Throws if the build does not have them. */
export function pageScripts(): readonly PageScripts[] {
  const html = readFileSync(`${DIST}/index.html`, 'utf8');
  const assets = new Map(
    readdirSync(`${DIST}/assets`)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(`${DIST}/assets/${name}`, 'utf8')]),
  );
  const entries = [...html.matchAll(/(?:src|href)="[^"]*?assets\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
  if (entries.length === 0) throw new Error('The built page loads no script.');
  return PAGES.map(({ page, chunk, limit }) => {
    const own = [...assets.keys()].filter((name) => chunk.test(basename(name)));
    if (own.length === 0) throw new Error(`The build has no script of the ${page}.`);
    const files = [...closure(assets, [...entries, ...own])];
    return { page, files, bytes: files.reduce((sum, name) => sum + gzipped(assets.get(name) ?? ''), 0), limit };
  });
}
