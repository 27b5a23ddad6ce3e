/** Which folder may import which. `structure.test.ts` holds the code to it. */
/**
 * A folder (`folder/*`: each folder in it by itself) or a file, and what it may import beside itself. `ports`: see
 * PORTS. The first match counts.
 */
type Layer = readonly [room: string, mayImport: readonly string[]];

const LAYERS: readonly Layer[] = [
  // Words and sums that server and browser share: plain values, no package, no other room.
  ['src/model', []],
  ['src/domain', ['src/model']],
  // The engine is usable by itself, with the model alone.
  ['src/audit', ['src/model']],
  ['src/demoSite', []],
  // A provider of our own: the product talks to it over HTTP alone.
  ['src/paymentSandbox', ['src/model']],
  ['src/eventStore', ['src/domain']],
  ['src/readModels', ['src/eventStore/pacing.ts']],
  // Its port speaks in the domain's facts.
  ['src/integrations/payments', ['src/model', 'src/domain']],
  // It counts what an event records.
  ['src/integrations/analyst', ['src/model', 'src/http/contract', 'src/domain/modelUse.ts']],
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
      'src/projector/sums.ts',
      'src/commands/account/emailStreamOf.ts',
      'ports',
    ],
  ],
  ['src/reports', ['src/model', 'src/domain', 'ports']],
  ['src/projector', ['src/model', 'src/projections', 'src/domain', 'ports']],
  ['src/workers', ['src/model', 'src/commands', 'src/domain', 'src/audit', 'ports']],
  [
    'src/work',
    [
      'src/model',
      'src/workers',
      'src/commands',
      'src/domain',
      'src/projections',
      'src/eventStore/notifier.ts',
      'ports',
    ],
  ],
  ['src/http/contract', ['src/model']],
  [
    'src/http',
    [
      'src/model',
      'src/commands',
      'src/domain',
      'src/projections',
      'src/history',
      'src/reports',
      'src/work/items.ts',
      'src/work/queue.ts',
      'ports',
    ],
  ],
  // What stands alone, so that every layer's starter may use it.
  ['src/start/settings.ts', ['src/model', 'src/start/ssoProviders.ts']],
  ['src/start/ssoProviders.ts', ['src/integrations/sso/sso.ts']],
  ...['listen', 'sleep', 'version', 'partFiles', 'secrets/readKeyFile'].map(
    (name): Layer => [`src/start/${name}.ts`, []],
  ),
  ['src/start/secrets/shareSecret.ts', ['src/start/partFiles.ts', 'src/start/secrets/readKeyFile.ts']],
  ['src/start/config.ts', ['src/start/settings.ts']],
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

/** The folders of src/http, from the ground up: each may import those before it. */
export const HTTP_FLOORS: readonly string[] = [
  'contract',
  // A request and its answer as plain data, and their limits.
  'request',
  // Who used what: figures, security events, visits.
  'usage',
  'deps',
  'pages',
  // What a route is, and what its handler needs.
  'routing',
  'present',
  'auth',
  'jobs',
  'money',
  'sharing',
  'reports',
  'account',
  'eventExports',
  'dispatch',
  'routes',
  'stripe',
  'mcp',
  'realtime',
  'openApi',
  'server',
];

/** What the stores and integrations promise, without a driver behind it. */
const PORTS = [
  'src/eventStore/pacing.ts',
  'src/eventStore/eventStore.ts',
  'src/eventStore/chain/eventHash.ts',
  'src/readModels/readModels.ts',
  'src/readModels/claims.ts',
  'src/readModels/leases.ts',
  'src/readModels/leadership.ts',
  'src/readModels/presence.ts',
  'src/readModels/networkKeys.ts',
  'src/readModels/snapshots.ts',
  'src/integrations/analyst/analyst.ts',
  'src/integrations/mailer/mailer.ts',
  'src/integrations/payments/payments.ts',
  'src/integrations/sso/sso.ts',
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
  '@modelcontextprotocol/server': ['src/http', 'src/cli'],
  ws: ['src/http'],
};

const isIn = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`);
const withPorts = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => (path === 'ports' ? PORTS : [path]));

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
