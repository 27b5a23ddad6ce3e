/**
 * The rules of the tree: which folder may import which, and what may stand in a name. Each rule asserts that it looked
 * at something.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../scripts/filesUnder.ts';
import { EVENT_TYPES, EVENTS_WITHOUT_PROJECTION } from '../../src/domain/eventTypes.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { DRIVERS, HTTP_FLOORS, mayImport } from './layers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"\n]*?(?:\n[^'"]*?)?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

const inTree = (file: string, specifier: string): string =>
  relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/');

/** Import cycles, each once. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  function walk(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const target of graph.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  }
  for (const file of graph.keys()) walk(file, []);
  return circles;
}

/** A hint for the next reorganization, printed and never failed on: what belongs together stays together. */
const MANY_FILES = 40;
const files = [...filesUnder(root, 'src'), ...filesUnder(root, 'web')];

describe('structure', () => {
  it('finds the source files', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(400);
  });

  it('has dependencies in one direction, and no feature of the web app imports another', () => {
    expect(files.filter((file) => mayImport(file, file) === null)).toEqual([]);
    const broken = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => inTree(file, specifier))
        .filter((target) => !mayImport(file, target))
        .map((target) => `${file} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('has folders of the HTTP layer that import only those below them', () => {
    const floorOf = (file: string): number => HTTP_FLOORS.indexOf(/^src\/http\/([^/]+)\//.exec(file)?.[1] ?? '');
    const http = files.filter((file) => file.startsWith('src/http/'));
    expect(http.filter((file) => floorOf(file) === -1)).toEqual([]);
    const imports = http.flatMap((file) =>
      importsOf(file)
        .map((specifier) => ({ file, target: inTree(file, specifier) }))
        .filter(({ target }) => target.startsWith('src/http/')),
    );
    expect(imports.length).toBeGreaterThan(400);
    expect(
      imports
        .filter(({ file, target }) => floorOf(target) > floorOf(file))
        .map(({ file, target }) => `${file} → ${target}`),
    ).toEqual([]);
  });

  it('keeps the domain and the projections pure', () => {
    const pure = files.filter((file) => file.startsWith('src/domain/') || file.startsWith('src/projections/'));
    expect(pure.length).toBeGreaterThan(20);
    const broken = pure.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // The shape of events is a schema.
      const allowed = file.startsWith('src/domain/') ? ['zod'] : [];
      const outside = importsOf(file).filter((specifier) => !specifier.startsWith('.') && !allowed.includes(specifier));
      const impure =
        text.match(/\b(Date\.now|new Date\(\)|Math\.random|randomUUID|setTimeout|setInterval|process\.|fetch\()/g) ??
        [];
      return [...outside, ...impure].map((what) => `${file}: ${what}`);
    });
    expect(broken).toEqual([]);
  });

  it('keeps drivers and provider libraries in their folders', () => {
    const broken = files.flatMap((file) =>
      importsOf(file)
        .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
        .filter((name) => name in DRIVERS && !DRIVERS[name]?.some((folder) => file.startsWith(`${folder}/`)))
        .map((specifier) => `${file}: ${specifier}`),
    );
    expect(broken).toEqual([]);
  });

  it('reads the queries of requests in one place', () => {
    const readers = [
      /\bctx\.(?:request\.)?(?:query|querystring|search|URL|href|originalUrl)\b/,
      /\{[^{}]*\b(?:query|querystring|search|URL|href|originalUrl)\b[^{}]*\}\s*=\s*ctx(?:\.request)?\s*;/,
      /\bURLSearchParams\b/,
      /\.searchParams\b/,
      /['"](?:node:)?querystring['"]|['"]parseurl['"]|\burl\.parse\(/,
      /\bnew URL\((?:ctx|req|request)\b/,
    ];
    const reading = files.filter((file) => {
      if (!file.startsWith('src/')) return false;
      const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
      return readers.some((reader) => reader.test(code));
    });
    // Addresses that no request brings.
    const others = /^src\/(?:audit|integrations|workers)\//;
    expect(reading.filter((file) => !others.test(file))).toEqual([
      'src/paymentSandbox/hosted/challengePage.ts',
      'src/readModels/mongo/mongoConnection.ts',
    ]);
    const planted = [
      'const a = ctx.query;',
      'ctx.request.querystring',
      'const { path, query } = ctx;',
      'const { search } = ctx.request;',
      'new URL(request.url, origin)',
      'new URLSearchParams(text)',
      'url.searchParams.get(name)',
      "import { parse } from 'node:querystring';",
    ];
    expect(planted.filter((code) => !readers.some((reader) => reader.test(code)))).toEqual([]);
  });

  it('parses addresses that others wrote in one place, which knows what a long host costs', () => {
    const parses = /\bURL\.(?:canParse|parse)\(/;
    const reading = files.filter((file) => /^src\/(?:audit|integrations)\//.test(file));
    expect(reading.length).toBeGreaterThan(200);
    expect(reading.filter((file) => parses.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('waits for read models in one place of the HTTP layer, where the answer to a write is made', () => {
    const waits = /\.(?:reached|readAsOf)\(/;
    const http = files.filter((file) => file.startsWith('src/http/'));
    expect(http.length).toBeGreaterThan(100);
    expect(http.filter((file) => waits.test(readFileSync(join(root, file), 'utf8')))).toEqual([
      'src/http/routing/afterWrite.ts',
    ]);
  });

  it('compares equal values as equal when it sorts', () => {
    const twoWay = /=>\s*\(?[^;=]*\S < \S[^;?]*\? (?:1 : -1|-1 : 1)\b/;
    expect(twoWay.test('.sort((a, b) => (a.at < b.at ? 1 : -1))')).toBe(true);
    expect(files.filter((file) => twoWay.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('names files for their content', () => {
    const vague = files.filter((file) =>
      /(^|\/)(utils?|helpers?|common|misc|manager|service|base|types)(\/|\.tsx?$)/i.test(file),
    );
    expect(vague).toEqual([]);
  });

  it('has no import cycles, type imports included', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => inTree(file, specifier)),
      ]),
    );
    expect(circlesIn(graph)).toEqual([]);
  });

  // What a link names is not there for whoever clones.
  it.runIf(existsSync(join(root, '.git')))('holds files, and no links', () => {
    const entries = execFileSync('git', ['ls-files', '--stage'], { cwd: root, encoding: 'utf8' }).split('\n');
    expect(entries.length).toBeGreaterThan(1_000);
    expect(entries.filter((entry) => entry.startsWith('120000'))).toEqual([]);
  });

  it('warns about folders of more than 40 files', () => {
    const folders = new Map<string, number>();
    for (const file of [...files, ...filesUnder(root, 'tests'), ...filesUnder(root, 'bench')])
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    expect(folders.size).toBeGreaterThan(50);
    for (const [folder, count] of folders)
      if (count > MANY_FILES)
        console.warn(`${folder} has ${count} files; more than ${MANY_FILES} are hard to find one's way in`);
  });

  it('has every event type projected, or exempt with a reason', () => {
    expect(EVENT_TYPES.length).toBeGreaterThan(25);
    // The causes projection takes nearly all, and would hide omissions of the others.
    const others = READ_MODELS.filter(({ name }) => name !== 'causes');
    const handled = new Set(others.flatMap((projection) => projection.handles as readonly string[]));
    expect(EVENT_TYPES.filter((type) => !handled.has(type) && !(type in EVENTS_WITHOUT_PROJECTION))).toEqual([]);
    expect([...handled].filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
    expect(Object.keys(EVENTS_WITHOUT_PROJECTION).filter((type) => handled.has(type))).toEqual([]);
  });
});
