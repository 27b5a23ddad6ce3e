/** What a browser must load before a page of the web app is usable: gzip, from the build. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Figure, kilobytes, type Row } from './measure.ts';

const DIST = fileURLToPath(new URL('../dist/web', import.meta.url));

/** Files that a chunk imports at once; what it imports on demand does not count. */
function staticImports(code: string): readonly string[] {
  return [...code.matchAll(/(?:^|[;}\n])\s*(?:import|export)\b[^'"();]*?["']\.\/([\w.$-]+\.js)["']/g)].map((match) => match[1] ?? '');
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

export const bundles: Figure = {
  name: 'bundles',
  async measure({ say }) {
    const html = readFileSync(`${DIST}/index.html`, 'utf8');
    const assets = new Map(
      readdirSync(`${DIST}/assets`)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, readFileSync(`${DIST}/assets/${name}`, 'utf8')]),
    );
    const entries = [...html.matchAll(/(?:src|href)="[^"]*?assets\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
    if (entries.length === 0) throw new Error('The built page loads no script.');
    const pages = [
      { page: 'log-in page', chunk: /^login/i, limit: 110_000 },
      { page: 'jobs page', chunk: /^(home|signedin)/i, limit: 150_000 },
    ];
    const rows = pages.map(({ page, chunk, limit }): Row => {
      const own = [...assets.keys()].filter((name) => chunk.test(basename(name)));
      const files = closure(assets, [...entries, ...own]);
      const bytes = [...files].reduce((sum, name) => sum + gzipped(assets.get(name) ?? ''), 0);
      say(`${page}: ${[...files].join(', ')}`);
      return {
        what: `JavaScript before the ${page} is usable, gzip`,
        ours: kilobytes(bytes),
        limit: '90 KB (react, router, store)',
        ratio: bytes / 90_000,
        goal: `≤ ${limit / 1000} KB`,
        met: bytes <= limit,
      };
    });
    return rows;
  },
};
