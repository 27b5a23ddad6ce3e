/** The readiness of a process that takes work, on real stores in memory. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStore, StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { createHealth } from '../../src/start/health.ts';
import { problemsOf } from '../../src/start/monitor/problems.ts';
import { readSystemState } from '../../src/start/monitor/systemState.ts';
import { WORK_ITEMS } from '../../src/work/items.ts';
import { AUDITS_OF_A_USER, auditRule } from '../../src/work/kinds/audit.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { memoryEventStore, rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';

const TWO_MINUTES_MS = 120_000;
const bounds = { maxPages: 50, maxMs: 180_000 };

let store: EventStore;
let readModels: SqliteReadModels;
let loop: Projecting;
beforeEach(async () => {
  store = memoryEventStore();
  readModels = openSqliteReadModels({ file: ':memory:' });
  loop = projecting(store, readModels, READ_MODELS);
  await loop.ready;
});
afterEach(async () => {
  await loop.stop();
  await readModels.close();
  await store.close();
});

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

const stores = () => ({ store, readModels, claims: readModels.claims });

/** A process in which two places for audits have been free for this long. */
function healthOf(role: 'all' | 'worker', freeForMs: number, checkLog: () => Promise<void> = async () => undefined) {
  const since = ago(freeForMs);
  const state = {
    kind: auditRule.kind,
    running: 0,
    places: 2,
    tries: 0,
    failed: 0,
    givenUp: 0,
    freeSince: since,
    idleFreeSince: since,
    hadToday: new Set<string>(),
    fullNetworks: new Set<string>(),
  };
  const kind = { rule: auditRule, parallel: 2, parallelOfLane: AUDITS_OF_A_USER };
  const rest = {
    stepsEnded: async () => 0,
    perform: () => Promise.reject(new Error('unused')),
    retryAfterMs: () => null,
    giveUp: async () => '',
  };
  return createHealth(role, { ...stores(), checkLog }, null, {
    kinds: [{ ...kind, ...rest }],
    state: () => [state],
    idleSince: () => null,
  });
}

async function enqueue(jobId: string, at: string): Promise<void> {
  const data = {
    jobId,
    userId: 'ann',
    url: 'https://example.com/',
    host: 'example.com',
    bounds,
    access: 'full',
    submittedAt: at,
  };
  const event = { id: crypto.randomUUID(), type: 'JobSubmitted', data, metadata: metadataAt(at) };
  const { position } = await store.append(`job-${jobId}`, [event], { expected: 'no_stream' });
  expect(await readModels.reached([WORK_ITEMS], position, 5_000)).toBe(true);
}

describe.each(['all', 'worker'] as const)('a process of role %s', (role) => {
  it('is ready with no work, and with work that has just become due', async () => {
    expect(await healthOf(role, TWO_MINUTES_MS).ready()).toMatchObject({ ok: true, checks: { work: { ok: true } } });
    await enqueue('new', ago(1_000));
    expect((await healthOf(role, TWO_MINUTES_MS).ready()).ok).toBe(true);
  });

  it('is not ready with due work while a place has been free for a minute, and names the work', async () => {
    await enqueue('j-1', ago(TWO_MINUTES_MS));
    expect((await healthOf(role, 30_000).ready()).ok).toBe(true);
    const { ok, checks } = await healthOf(role, TWO_MINUTES_MS).ready();
    expect([ok, checks.work?.ok]).toEqual([false, false]);
    expect(checks.work?.detail).toMatch(
      /^stalled: audit j-1 has been due for 2 min although a slot is free: .*npm run work -- list --kind audit/,
    );
  });

  it('is not ready once it has had no lease for a minute, and says since when', async () => {
    const withoutLease = (since: string) =>
      createHealth(role, { ...stores(), checkLog: async () => undefined }, null, {
        kinds: [],
        state: () => [],
        idleSince: () => since,
      }).ready();
    expect((await withoutLease(ago(30_000))).ok).toBe(true);
    const since = ago(TWO_MINUTES_MS);
    const { ok, checks } = await withoutLease(since);
    expect([ok, checks.work?.ok]).toEqual([false, false]);
    expect(checks.work?.detail).toMatch(
      new RegExp(`^idle: has taken no work since ${since} because it has no lease: `),
    );
  });

  it('is not ready while the log cannot be written or read, and says why', async () => {
    const refused = async () => Promise.reject(new StoreUnavailable('The event store cannot grow: the disk is full.'));
    const { ok, checks } = await healthOf(role, 0, refused).ready();
    expect([ok, checks.stores]).toEqual([
      false,
      { ok: false, detail: 'The event store cannot grow: the disk is full.' },
    ]);
    expect((await healthOf(role, 0).ready()).checks.stores).toEqual({ ok: true });
  });

  it('is not ready when a store does not answer in time', async () => {
    const silent = { ...stores(), checkLog: () => new Promise<void>(() => undefined) };
    await expect(createHealth(role, silent, null, null, 20).ready()).rejects.toThrow('did not answer within 0.02 s');
  });

  it('checks its work once for probes that come while a check is under way', async () => {
    const parked = vi.spyOn(readModels, 'parked');
    const health = healthOf(role, 0);
    expect((await Promise.all([health.ready(), health.ready()])).map(({ ok }) => ok)).toEqual([true, true]);
    expect(parked).toHaveBeenCalledTimes(1);
    await health.ready();
    expect(parked).toHaveBeenCalledTimes(2);
  });

  it('is ready again after a check that a store never answered', async () => {
    const kinds = { kinds: [], state: () => [], idleSince: () => null };
    const health = createHealth(role, { ...stores(), checkLog: async () => undefined }, null, kinds, 50);
    vi.spyOn(readModels, 'parked').mockReturnValueOnce(new Promise(() => undefined));
    await expect(health.ready()).rejects.toThrow('did not answer within 0.05 s');
    await vi.waitFor(async () => expect((await health.ready()).ok).toBe(true), 10_000);
  });

  it('stays ready when the work list has parked an event, and mentions it', async () => {
    const build = (await readModels.serving(WORK_ITEMS)) ?? '';
    const checkpoint = (await readModels.checkpoint(WORK_ITEMS, build)) ?? '';
    const record = {
      documentId: 'audit/j-1',
      position: '5'.padStart(20, '0'),
      eventType: 'JobSubmitted',
      error: 'no id',
      parkedAt: ago(0),
    };
    await readModels.commit([
      { model: WORK_ITEMS, build, checkpoint, writes: [], park: [{ model: WORK_ITEMS, build, ...record }] },
    ]);
    const { ok, checks } = await healthOf(role, 0).ready();
    expect([ok, checks.work?.ok]).toEqual([true, true]);
    expect(checks.work?.detail).toBe(
      `parked: 1, first audit/j-1 at JobSubmitted (${record.position}): see Parked events on /admin/system`,
    );
  });
});

it('a process that takes no work does not report on it', async () => {
  await enqueue('j-1', ago(TWO_MINUTES_MS));
  const health = createHealth('http', { ...stores(), checkLog: async () => undefined }, null);
  expect(await health.ready()).toMatchObject({ ok: true });
  expect((await health.ready()).checks).not.toHaveProperty('work');
});

describe('events that nothing can take', () => {
  /** As damage, or a version with a fault, leaves them: of each type that a read model handles, without any data. */
  const types = [...new Set(READ_MODELS.flatMap((projection) => projection.handles as readonly string[]))];

  it('leave a process ready that serves and does everything else, and are reported', async () => {
    await loop.stop();
    await store.close();
    const raw = rawEventStore();
    store = raw;
    let last = '';
    for (const type of types) {
      const event = { id: crypto.randomUUID(), type, data: {}, metadata: metadataAt(ago(TWO_MINUTES_MS)) };
      last = (await raw.append(`poison-${type}`, [event], { expected: 'no_stream' })).position;
    }
    await readModels.close();
    readModels = openSqliteReadModels({ file: ':memory:' });
    loop = projecting(withStoredEvents(raw), readModels, READ_MODELS);
    await loop.ready;
    expect(await readModels.reached([WORK_ITEMS], last, 5_000)).toBe(true);
    const { ok, checks } = await healthOf('all', 0).ready();
    expect([ok, checks.work?.detail]).toEqual([true, expect.stringMatching(/^parked: \d+, first stream:poison-/)]);
    const presence = { ...readModels.presence };
    const state = await readSystemState({
      config: { DATA_DIR: '.', servers: null },
      stores: { ...stores(), presence, marks: readModels.marks },
      now: () => ago(0),
    });
    expect(problemsOf(state).find(({ cause }) => cause === 'parked')?.text).toContain(
      'work that such an event asks for is not done',
    );
    expect(loop.logged.filter(({ level }) => level === 'error').length).toBeGreaterThanOrEqual(types.length);
  });
});
