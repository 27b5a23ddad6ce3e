/** The rules of the tree: which folder may import which, how long a file may be, what may stand in a name. Each rule asserts that it looked at something. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, EVENTS_WITHOUT_PROJECTION } from '../../src/domain/eventTypes.ts';
import { READ_MODELS } from '../../src/work/rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Folder → what it may import. `ports` are the type-only files of the stores and integrations. The first match counts. */
const LAYERS: readonly (readonly [folder: string, mayImport: readonly string[]])[] = [
  // Words and sums that server and browser share: plain values, no package, no other room.
  ['src/model', ['src/model']],
  ['src/domain', ['src/domain', 'src/model']],
  ['src/audit', ['src/audit', 'src/model']],
  ['src/demoSite', ['src/demoSite']],
  ['src/eventStore', ['src/eventStore', 'src/domain']],
  ['src/readModels', ['src/readModels']],
  ['src/integrations', ['src/integrations', 'src/model', 'src/http/contract']],
  ['src/commands', ['src/commands', 'src/domain', 'ports']],
  ['src/projections', ['src/projections', 'src/domain', 'ports']],
  ['src/projector', ['src/projector', 'src/projections', 'src/domain', 'ports']],
  ['src/workers', ['src/workers', 'src/model', 'src/commands', 'src/domain', 'src/audit', 'ports']],
  ['src/work', ['src/work', 'src/workers', 'src/commands', 'src/domain', 'src/projections', 'src/eventStore/bell', 'src/start/leadership', 'ports']],
  ['src/http/contract', ['src/http/contract']],
  ['src/http', ['src/http', 'src/model', 'src/commands', 'src/domain', 'src/projections', 'src/work/items', 'src/work/queue', 'ports']],
  // What stands alone, so that every layer's starter may use it.
  ...['config', 'listen', 'sleep', 'version', 'shareSecret'].map((name) => [`src/start/${name}.ts`, []] as const),
  ['src/start/leadership.ts', ['ports']],
  // The composition root and the programs.
  ['src/start', ['src']],
  ['src/cli', ['src']],
  ['src/main.ts', ['src']],
  ['web/ui', ['web/ui', 'src/model']],
  ['web/api', ['web/api', 'src/http/contract']],
  ['web/features', ['web/features', 'src/model', 'web/ui', 'web/api', 'web/app/hooks', 'web/app/paths', 'src/http/contract']],
  ['web', ['web', 'src/model', 'src/http/contract']],
];

const PORTS = [
  'src/eventStore/eventStore.ts',
  'src/readModels/readModels.ts',
  'src/readModels/claims.ts',
  'src/readModels/leases.ts',
  'src/integrations/analyst/analyst.ts',
  'src/integrations/mailer/mailer.ts',
];

/** Packages that only these folders may import. */
const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['src/eventStore', 'src/readModels'],
  '@eventstore/db-client': ['src/eventStore'],
  mongodb: ['src/readModels'],
  undici: ['src/integrations'],
  openai: ['src/integrations'],
  nodemailer: ['src/integrations'],
  'playwright-core': ['src/integrations'],
  '@node-rs/argon2': ['src/integrations'],
  '@resvg/resvg-js': ['src/integrations'],
  koa: ['src/http'],
  ws: ['src/http'],
};

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"\n]*?(?:\n[^'"]*?)?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

const inTree = (file: string, specifier: string): string => relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/');

/** Files that lead back to themselves through what they import, each circle once. */
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

const FILES_IN_A_ROOM = 25;
const files = [...filesUnder('src'), ...filesUnder('web')];

describe('structure', () => {
  it('sees the tree', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(400);
  });

  it('lets dependencies point one way', () => {
    const broken = files.flatMap((file) => {
      const layer = LAYERS.find(([folder]) => file === folder || file.startsWith(`${folder}/`));
      if (!layer) return [`${file} is in no layer`];
      return importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => inTree(file, specifier))
        .filter(
          (target) =>
            !layer[1].some((allowed) => (allowed === 'ports' ? PORTS.includes(target) : target.startsWith(`${allowed}/`) || target.startsWith(`${allowed}.`))),
        )
        .map((target) => `${file} → ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it('lets no feature of the web app import another', () => {
    const feature = (path: string): string | undefined => /^web\/features\/([^/]+)\//.exec(path)?.[1];
    const broken = files.filter(feature).flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => inTree(file, specifier))
        .filter((target) => feature(target) && feature(target) !== feature(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('keeps the domain and the projections pure', () => {
    const pure = files.filter((file) => file.startsWith('src/domain/') || file.startsWith('src/projections/'));
    expect(pure.length).toBeGreaterThan(20);
    const broken = pure.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // The shape of stored events is a schema.
      const allowed = file.startsWith('src/domain/stored/') ? ['zod'] : [];
      const outside = importsOf(file).filter((specifier) => !specifier.startsWith('.') && !allowed.includes(specifier));
      const impure = text.match(/\b(Date\.now|new Date\(\)|Math\.random|randomUUID|setTimeout|setInterval|process\.|fetch\()/g) ?? [];
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

  it('keeps files small and named for what they hold', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301);
    expect(long).toEqual([]);
    const vague = files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|manager|service|base|types)(\/|\.tsx?$)/i.test(file));
    expect(vague).toEqual([]);
  });

  it('has no circles, those of types included', () => {
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

  it('has no crowded rooms', () => {
    const rooms = new Map<string, number>();
    for (const file of [...files, ...filesUnder('tests')]) rooms.set(dirname(file), (rooms.get(dirname(file)) ?? 0) + 1);
    expect([...rooms].filter(([, count]) => count > FILES_IN_A_ROOM)).toEqual([]);
  });

  it('has every event type projected, or exempt in writing', () => {
    expect(EVENT_TYPES.length).toBeGreaterThan(25);
    const handled = new Set(READ_MODELS.flatMap((projection) => projection.handles as readonly string[]));
    expect(EVENT_TYPES.filter((type) => !handled.has(type) && !(type in EVENTS_WITHOUT_PROJECTION))).toEqual([]);
    expect([...handled].filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
    expect(Object.keys(EVENTS_WITHOUT_PROJECTION).filter((type) => handled.has(type))).toEqual([]);
  });
});
