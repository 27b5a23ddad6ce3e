/**
 * Which room may import which. `tests/tree/structure.test.ts` holds the code to it, and `npm run docs` writes `biome.layers.json` from it, so that an
 * editor shows what is not allowed. Biome sees import by import: circles, and that some rooms import no package at all, only the test finds.
 */
import { readdirSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

/** A folder (`folder/*`: each folder in it by itself) or a file, and what it may import beside itself. `ports`: see PORTS. The first match counts. */
type Layer = readonly [room: string, mayImport: readonly string[]];

export const LAYERS: readonly Layer[] = [
  // Words and sums that server and browser share: plain values, no package, no other room.
  ['src/model', []],
  ['src/domain', ['src/model']],
  // The engine is usable by itself, with the model alone.
  ['src/audit', ['src/model']],
  ['src/demoSite', []],
  // A provider of our own: the product talks to it over HTTP alone.
  ['src/paymentSandbox', ['src/model']],
  ['src/eventStore', ['src/domain']],
  ['src/readModels', []],
  // Its port speaks in the domain's facts.
  ['src/integrations/payments', ['src/model', 'src/domain']],
  ['src/integrations', ['src/model', 'src/http/contract']],
  ['src/commands', ['src/model', 'src/domain', 'ports']],
  ['src/projections', ['src/model', 'src/domain', 'ports']],
  // What the log tells people: of one thing and its past; of all things, in figures.
  [
    'src/history',
    // The past is folded as the projector folds: parked events and all.
    [
      'src/model',
      'src/domain',
      'src/projections',
      'src/projector/projectionFold.ts',
      'src/projector/takingUp.ts',
      'src/commands/account/emailStreamOf.ts',
      'ports',
    ],
  ],
  ['src/reports', ['src/model', 'src/domain', 'ports']],
  ['src/projector', ['src/model', 'src/projections', 'src/domain', 'ports']],
  ['src/workers', ['src/model', 'src/commands', 'src/domain', 'src/audit', 'ports']],
  ['src/work', ['src/model', 'src/workers', 'src/commands', 'src/domain', 'src/projections', 'src/eventStore/notifier.ts', 'src/start/leadership.ts', 'ports']],
  ['src/http/contract', ['src/model']],
  ['src/http', ['src/model', 'src/commands', 'src/domain', 'src/projections', 'src/history', 'src/reports', 'src/work/items.ts', 'src/work/queue.ts', 'ports']],
  // What stands alone, so that every layer's starter may use it.
  ['src/start/settings.ts', ['src/model']],
  ...['listen', 'sleep', 'version', 'partFiles', 'secrets/readKeyFile'].map((name): Layer => [`src/start/${name}.ts`, []]),
  ['src/start/secrets/shareSecret.ts', ['src/start/partFiles.ts', 'src/start/secrets/readKeyFile.ts']],
  ['src/start/config.ts', ['src/start/settings.ts']],
  ['src/start/leadership.ts', ['ports']],
  // The composition root and the programs.
  ['src/start', ['src']],
  ['src/cli', ['src']],
  ['src/main.ts', ['src']],
  ['web/ui', ['src/model']],
  ['web/api', ['src/model', 'src/http/contract']],
  // No feature imports another.
  ['web/features/*', ['src/model', 'src/http/contract', 'web/ui', 'web/api']],
  ['web', ['src/model', 'src/http/contract']],
];

/** What the stores and integrations promise, without a driver behind it. */
const PORTS = [
  'src/eventStore/eventStore.ts',
  'src/eventStore/chain/eventHash.ts',
  'src/readModels/readModels.ts',
  'src/readModels/claims.ts',
  'src/readModels/leases.ts',
  'src/readModels/presence.ts',
  'src/readModels/snapshots.ts',
  'src/integrations/analyst/analyst.ts',
  'src/integrations/mailer/mailer.ts',
  'src/integrations/payments/payments.ts',
];

/** Packages that only these folders may import. */
export const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['src/eventStore', 'src/readModels', 'src/paymentSandbox'],
  '@eventstore/db-client': ['src/eventStore'],
  mongodb: ['src/readModels'],
  undici: ['src/integrations'],
  openai: ['src/integrations'],
  liquidjs: ['src/workers'],
  nodemailer: ['src/integrations'],
  stripe: ['src/integrations', 'src/paymentSandbox'],
  'playwright-core': ['src/integrations'],
  '@node-rs/argon2': ['src/integrations'],
  'hyparquet-writer': ['src/reports'],
  '@resvg/resvg-js': ['src/integrations'],
  koa: ['src/http'],
  ws: ['src/http'],
};

const isFile = (path: string): boolean => /\.tsx?$/.test(path);
const isIn = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`);
const withPorts = (paths: readonly string[]): readonly string[] => paths.flatMap((path) => (path === 'ports' ? PORTS : [path]));

/** The room of the table that a file belongs to; of `folder/*` its folder. */
function roomOf(file: string, pattern: string): string | null {
  if (!pattern.endsWith('/*')) return isIn(file, pattern) ? pattern : null;
  const rest = file.startsWith(pattern.slice(0, -1)) ? file.slice(pattern.length - 1).split('/') : [];
  return rest.length > 1 ? pattern.slice(0, -1) + rest[0] : null;
}

function layerOf(file: string): { readonly room: string; readonly layer: Layer } | null {
  for (const layer of LAYERS) {
    const room = roomOf(file, layer[0]);
    if (room !== null) return { room, layer };
  }
  return null;
}

/** Null when the file is in no room of the table. */
export function mayImport(file: string, target: string): boolean | null {
  const found = layerOf(file);
  return found && [found.room, ...withPorts(found.layer[1])].some((allowed) => isIn(target, allowed));
}

/** Paths of the TypeScript files in a folder of the tree, from its root. */
export function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isFile(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

type Restriction = {
  readonly paths: Readonly<Record<string, string>>;
  readonly patterns: readonly { readonly group: readonly string[]; readonly message: string }[];
};

/**
 * `biome.layers.json`: Biome compares the text of an import, and how many `../` lead out of a room depends on how deep a file lies in it. So there
 * is one entry for each depth of each room.
 */
export function biomeLayers(root: string): string {
  const files = [...filesUnder(root, 'src'), ...filesUnder(root, 'web')];
  const overrides = LAYERS.flatMap((layer, at) => {
    const own = files.filter((file) => layerOf(file)?.layer === layer);
    const depths = [...new Set(own.map((file) => file.split('/').length))].sort((a, b) => a - b);
    return depths.map((depth) => ({
      includes: [isFile(layer[0]) ? layer[0] : `${layer[0]}${'/*'.repeat(depth - layer[0].split('/').length - 1)}/*.{ts,tsx}`, ...exceptions(layer[0], at)],
      linter: { rules: { style: { noRestrictedImports: { level: 'error', options: restriction(layer, depth) } } } },
    }));
  });
  return `{ "overrides": [\n${overrides.map((override) => JSON.stringify(override)).join(',\n')}\n] }\n`;
}

/** Rooms inside this one that the table names before it. */
function exceptions(room: string, at: number): readonly string[] {
  return LAYERS.slice(0, at).flatMap(([earlier]) => (isIn(earlier, room) ? [isFile(earlier) ? `!${earlier}` : `!${earlier}/**`] : []));
}

/** `depth`: segments of the path of a file. */
function restriction([room, allowed]: Layer, depth: number): Restriction {
  // A folder stands for each of its kind: only how far away the others are matters.
  const here = isFile(room) ? dirname(room) : [...room.split('/'), ...Array.from({ length: depth }, () => '_')].slice(0, depth - 1).join('/');
  const wide = allowed.find((path) => isIn(room, path)) ?? room;
  const out = isFile(wide) ? ['./**', '../**'] : [`${'../'.repeat(here.split('/').length - wide.split('/').length + 1)}**`];
  const may = withPorts(allowed)
    .filter((path) => path !== wide)
    .map((path) => posix.relative(here, path) + (isFile(path) ? '' : '/**'))
    .map((path) => (path.startsWith('.') ? `!${path}` : `!./${path}`));
  const what = allowed.length === 0 ? 'nothing but itself' : `itself and ${allowed.join(', ')}`;
  const drivers = Object.keys(DRIVERS).filter((name) => !DRIVERS[name]?.some((folder) => isIn(room, folder)));
  const message = 'Drivers and provider libraries are for their own rooms alone (scripts/layers.ts).';
  return {
    paths: Object.fromEntries(drivers.map((name) => [name, message])),
    patterns: [
      { group: [...out, ...may], message: `${room} may import ${what} (scripts/layers.ts).` },
      { group: drivers.map((name) => `${name}/**`), message },
    ],
  };
}
