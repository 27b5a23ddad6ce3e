/** An installation with all services up, as admins see it; the rest is read from the stores. */
import { tmpdir } from 'node:os';
import type { HttpDeps } from '../../../src/http/deps/deps.ts';
import type { CheckedService, SystemDeps } from '../../../src/http/deps/system.ts';
import type { Presence } from '../../../src/readModels/presence.ts';
import { systemOperations } from '../../../src/start/monitor/operations.ts';
import { listProcesses } from '../../../src/start/monitor/processPresence.ts';
import type { SystemStateParts } from '../../../src/start/monitor/systemState.ts';

export function quietSystem(stores: SystemStateParts['stores'], now: () => string): SystemDeps {
  const up: CheckedService = { status: 'up', detail: null, checkedAt: '2026-03-10T11:59:50.000Z', latencyMs: 3 };
  return {
    here: {
      id: 'a-process',
      role: 'all',
      vitals: () => ({ uptime: 183_840, heapUsed: 85_983_232, heapTotal: 134_217_728 }),
    },
    services: () => ({
      supabase: up,
      stripe: { status: 'not_configured', detail: null, checkedAt: null, latencyMs: null },
    }),
    llm: { provider: 'built_in', model: null },
    processes: () => listProcesses(stores.presence, now()),
    ...systemOperations({ config: { DATA_DIR: tmpdir(), servers: null }, stores, now, keepsMail: false }),
  };
}

const NOBODY: Presence = {
  note: async () => undefined,
  get: async () => null,
  list: async () => [],
  count: async () => 0,
  remove: async () => undefined,
  forget: async () => undefined,
};

const UNASKED: HttpDeps['mcp'] = {
  handle: async () => new Response(null, { status: 404 }),
  discover: async () => undefined,
  calls: () => new Map(),
  close: async () => undefined,
};

/** For tests that do not need presence: records nothing. */
export function unwatched(
  stores: Pick<HttpDeps, 'store' | 'readModels' | 'now'>,
): Pick<HttpDeps, 'presence' | 'userPresence' | 'reportOpenings' | 'tallies' | 'mcp' | 'system'> {
  const claims = { running: async () => new Map<string, number>(), read: async () => [] };
  const silent = { note: () => undefined };
  return {
    presence: NOBODY,
    userPresence: silent,
    reportOpenings: silent,
    tallies: silent,
    mcp: UNASKED,
    system: quietSystem({ ...stores, claims, presence: NOBODY, marks: { read: async () => null } }, stores.now),
  };
}
