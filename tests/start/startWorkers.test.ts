/** A worker without its lease: since when it has taken no work. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { parsePage } from '../../src/audit/facts/parse/parsePage.ts';
import { contextOf } from '../../src/commands/context.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import { loadConfig } from '../../src/start/config.ts';
import { startProjector } from '../../src/start/startProjector.ts';
import { startWorkers, type Workers } from '../../src/start/startWorkers.ts';
import { followUpWith } from '../given/followUp.ts';
import { quickPasswords } from '../given/passwords.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { type MemoryLeases, memoryLeases } from '../given/stores/leases.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function workersWith(leases: MemoryLeases, now: () => string): Workers {
  const log = pino({ level: 'silent' });
  const [whole, readModels] = [memoryEventStore(), memoryReadModels()];
  const { claims, marks, snapshots } = readModels;
  const projector = startProjector({ store: whole, readModels, leases: null, marks }, log);
  closing.push(whole.close, readModels.close, projector.stop);
  const workers = startWorkers({
    store: whole,
    storedLog: whole,
    readModels,
    claims,
    marks,
    snapshots,
    leases,
    now,
    log,
    config: loadConfig({ NODE_ENV: 'test', DEMO: 'false' }),
    parse: async (page) => parsePage(page),
    analyst: createRulesAnalyst(),
    followUp: followUpWith(),
    renderer: null,
    allowHosts: [],
    mailer: null,
    payments: null,
    newToken: randomUUID,
    hashCode: quickPasswords.hash,
    appUrl: 'https://seo.example.com',
    problems: async () => [],
    context: (actor, cause) => contextOf({ store: whole, now, commandId: randomUUID(), actor }, cause),
  });
  closing.push(workers.stop);
  return workers;
}

it('a process reports since when it has taken no work because it has no lease', async () => {
  const leases = memoryLeases();
  leases.fail(true);
  let now = '2026-01-01T00:00:00.000Z';
  const workers = workersWith(leases, () => now);
  now = '2026-01-01T00:01:00.000Z';
  expect(workers.idleSince()).toBe('2026-01-01T00:00:00.000Z');
  expect(workers.state()).toEqual([]);
  leases.fail(false);
  while (workers.idleSince() !== null) await new Promise((resolve) => setImmediate(resolve));
  expect(workers.state()).not.toEqual([]);
  await workers.stop();
  expect(workers.idleSince()).toBe(now);
});
