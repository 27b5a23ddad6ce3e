/** Up and down the chain of causes by the index, compared with a search through the whole log. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/stored/metadata.ts';
import type { NewEvent, RecordedEvent } from '../../src/eventStore/eventStore.ts';
import type { SqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { causesOf, NODES_OF_A_LEVEL } from '../../src/history/causes.ts';
import { causes } from '../../src/projections/history/causes.ts';
import type { SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { runs } from '../given/fullForm.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const SEED = 20261123;
const AT = '2026-03-01T00:00:00.000Z';
const USER: Actor = { kind: 'user', id: 'ann' };
const WORKER: Actor = { kind: 'worker', id: 'mails' };

const idOf = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
const eventOf = (nth: number, correlationId: string, actor: Actor): NewEvent => ({
  id: idOf(nth),
  type: 'AccountEnabled',
  data: { userId: 'ann', enabledAt: AT },
  metadata: { actor, at: AT, correlationId, causationId: `command ${nth}` },
});

type Stores = { readonly store: SqliteEventStore; readonly readModels: SqliteReadModels };

/** Event `n` follows from the request or the event that `causedBy[n]` names, and is in one of three streams. */
async function withLog(
  events: readonly NewEvent[],
  test: (stores: Stores, log: readonly RecordedEvent[]) => Promise<void>,
): Promise<void> {
  const stores = { store: memoryEventStore(), readModels: memoryReadModels() };
  for (const [at, event] of events.entries())
    await stores.store.append(`account-${at % 3}`, [event], { expected: 'any' });
  const running = projecting(stores.store, stores.readModels, [causes]);
  await running.ready;
  await test(stores, (await stores.store.readAll({ limit: 5_000 })).events);
  await running.stop();
  await stores.store.close();
  await stores.readModels.close();
}

const isTakenUp = ({ metadata }: RecordedEvent): boolean => metadata.actor.kind === 'worker';

/** By reading every event of the log. */
function searched(
  log: readonly RecordedEvent[],
  event: RecordedEvent,
): { readonly up: readonly string[]; readonly down: ReadonlySet<string> } {
  const up: string[] = [];
  for (let last = event; isTakenUp(last); ) {
    const cause = log.find(({ id }) => id === last.metadata.correlationId);
    if (!cause) break;
    up.unshift(cause.id);
    last = cause;
  }
  const down = new Set<string>();
  for (let level = [event.id]; level.length > 0; ) {
    const next = log
      .filter((each) => isTakenUp(each) && level.includes(each.metadata.correlationId))
      .map(({ id }) => id);
    for (const id of next) down.add(id);
    level = next;
  }
  return { up, down };
}

/** Each follows from an earlier event, or from one of three requests. */
const history = fc.array(fc.tuple(fc.nat(1_000), fc.boolean()), { minLength: 1, maxLength: 30 }).map((dice) =>
  dice.map(([die, isWork], at) => {
    const isOfEvent = isWork && at > 0;
    return eventOf(at, isOfEvent ? idOf(die % at) : `request-${die % 3}`, isOfEvent ? WORKER : USER);
  }),
);

describe('the chain of causes', () => {
  it(`equals a search through the whole log, up and down, for every event (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (events) => {
        await withLog(events, async (stores, log) => {
          for (const event of log) {
            const found = await causesOf(stores, event.id);
            const expected = searched(log, event);
            expect(found?.ancestors.map(({ id }) => id)).toEqual(expected.up);
            expect(new Set(found?.following.map(({ id }) => id))).toEqual(expected.down);
            expect(found?.following).toHaveLength(expected.down.size);
            expect(found?.beginning.kind).toBe('request');
          }
        });
      }),
      { seed: SEED, numRuns: runs(40) },
    );
  });

  it('of a request is everything that it led to, and of an unknown id is nothing', async () => {
    await withLog(
      [eventOf(1, 'request-1', USER), eventOf(2, 'request-1', USER), eventOf(3, idOf(1), WORKER)],
      async (stores) => {
        const found = await causesOf(stores, 'request-1');
        expect(found).toMatchObject({
          event: null,
          ancestors: [],
          beginning: { kind: 'request', id: 'request-1' },
          cursor: null,
          cut: false,
        });
        expect(found?.following.map(({ id }) => id)).toEqual([idOf(1), idOf(2), idOf(3)]);
        expect(await causesOf(stores, 'request-2')).toBeNull();
      },
    );
  });

  it('shows erased events as deleted, also when the index is rebuilt from the rest', async () => {
    await withLog(
      [eventOf(1, 'request-1', USER), eventOf(2, idOf(1), WORKER), eventOf(3, idOf(2), WORKER)],
      async (stores) => {
        await stores.store.delete('account-0');
        const left = {
          beginning: { kind: 'deleted', id: idOf(1) },
          ancestors: [],
          event: { id: idOf(2) },
          following: [{ id: idOf(3) }],
        };
        expect(await causesOf(stores, idOf(2))).toMatchObject(left);
        // Its effects are still connected; of itself nothing is shown.
        const gone = {
          beginning: { kind: 'deleted', id: idOf(1) },
          ancestors: [],
          event: null,
          following: [{ id: idOf(2) }, { id: idOf(3) }],
        };
        expect(await causesOf(stores, idOf(1))).toMatchObject(gone);
        const anew = { store: stores.store, readModels: memoryReadModels() };
        const running = projecting(anew.store, anew.readModels, [causes]);
        await running.ready;
        for (const id of [idOf(1), idOf(2), idOf(3)])
          expect(await causesOf(anew, id)).toEqual(await causesOf(stores, id));
        await running.stop();
        await anew.readModels.close();
      },
    );
  });

  it('puts nothing below an event that a client only claims as its cause', async () => {
    await withLog([eventOf(1, 'request-1', USER), eventOf(2, idOf(1), USER)], async (stores) => {
      expect((await causesOf(stores, idOf(1)))?.following).toEqual([]);
      expect(await causesOf(stores, idOf(2))).toMatchObject({
        ancestors: [],
        beginning: { kind: 'request', id: idOf(1) },
      });
    });
  });

  it('begins with its request for what the payment provider reports', async () => {
    await withLog(
      [eventOf(1, 'request-1', { kind: 'system', id: 'stripe' }), eventOf(2, idOf(1), WORKER)],
      async (stores) => {
        const beginning = { kind: 'request', id: 'request-1' };
        expect(await causesOf(stores, idOf(2))).toMatchObject({ beginning, ancestors: [{ id: idOf(1) }] });
      },
    );
  });

  it('names the cause of scheduled work, and of events older than causes', async () => {
    const sweep: Actor = { kind: 'system', id: 'sweeps' };
    await withLog([eventOf(1, 'command 1', sweep), eventOf(2, idOf(2), WORKER)], async (stores) => {
      expect((await causesOf(stores, idOf(1)))?.beginning).toEqual({ kind: 'command', id: 'command 1' });
      expect(await causesOf(stores, idOf(2))).toMatchObject({
        beginning: { kind: 'unknown' },
        ancestors: [],
        following: [],
      });
    });
  });

  it('of very many is paged, and limited in depth', async () => {
    const many = NODES_OF_A_LEVEL + 30;
    const events = [
      eventOf(0, 'request-1', USER),
      ...Array.from({ length: many }, (_, at) => eventOf(at + 1, idOf(0), WORKER)),
    ];
    await withLog(events, async (stores) => {
      const first = await causesOf(stores, idOf(0));
      const rest = await causesOf(stores, idOf(0), { cursor: first?.cursor ?? '' });
      expect([first?.following.length, rest?.following.length, rest?.cursor]).toEqual([NODES_OF_A_LEVEL, 30, null]);
      const above = await causesOf(stores, 'request-1');
      expect([above?.following.length, above?.cut, above?.cursor]).toEqual([NODES_OF_A_LEVEL + 1, true, null]);
    });
  });
});
