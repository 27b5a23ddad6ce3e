import { afterEach, describe, expect, it, vi } from 'vitest';
import { derivedId, derivedIds } from '../../src/commands/derivedId.ts';
import { handle, loadState } from '../../src/commands/handle.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { type Decider, DomainError } from '../../src/domain/decider.ts';
import { type EventStore, RevisionConflict, START, StreamDeleted } from '../../src/eventStore/eventStore.ts';
import { product } from '../given/commands.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';

/** Counts repeats too: whatever makes a repeat harmless here is not the decision. */
type Counted = { readonly type: 'Counted'; readonly data: { readonly by: number; readonly at: string } };
const counter: Decider<number, { readonly type: 'Count'; readonly by: number; readonly at: string }, Counted> = {
  initialState: () => 0,
  evolve: (count, event) => count + event.data.by,
  decide: ({ by, at }) => [
    { type: 'Counted', data: { by, at } },
    { type: 'Counted', data: { by: 0, at } },
  ],
};
const count = (by: number, at = 'then') => ({ type: 'Count', by, at }) as const;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('handling a command', () => {
  it('appends the decided events, with actor, time and cause', async () => {
    const { context, log, now } = product(rawEventStore());
    const result = await handle(
      { ...context('6f1e7b2c-0000-4000-8000-000000000001'), correlationId: 'request-1' },
      counter,
      'count-1',
      count(2),
    );
    expect(result).toMatchObject({ state: 2, revision: 1n, events: [{ data: { by: 2 } }, { data: { by: 0 } }] });
    const events = await log();
    expect(result.position).toBe(events[1]?.position);
    expect(events[0]?.metadata).toEqual({
      actor: { kind: 'user', id: 'test' },
      at: now(),
      correlationId: 'request-1',
      causationId: '6f1e7b2c-0000-4000-8000-000000000001',
    });
  });

  it('writes a repeated command once, even at another time', async () => {
    const { context, log } = product(rawEventStore());
    const first = await handle(context('command-1'), counter, 'count-1', count(2));
    await handle(context(), counter, 'count-1', count(5));
    const again = await handle(context('command-1'), counter, 'count-1', count(2, 'later'));
    expect(again).toMatchObject({ events: [], state: 7 });
    expect(again.position > first.position).toBe(true);
    expect(await log()).toHaveLength(4);
  });

  it('distinguishes different commands under one id', async () => {
    const { context } = product(rawEventStore());
    await handle(context('command-1'), counter, 'count-1', count(2));
    expect((await handle(context('command-1'), counter, 'count-1', count(3))).state).toBe(5);
    expect((await handle(context('command-1'), counter, 'count-2', count(3))).state).toBe(3);
  });

  it('writes a command once that is sent many times at once', async () => {
    const { context, log } = product(rawEventStore());
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        handle(context('command-1'), counter, 'count-1', count(2, `at ${index}`)),
      ),
    );
    expect(sent.filter(({ events }) => events.length > 0)).toHaveLength(1);
    expect(new Set(sent.map(({ state }) => state))).toEqual(new Set([2]));
    expect(await log()).toHaveLength(2);
  });

  it('completes every one of many different commands, in some order', async () => {
    const { store, context } = product(rawEventStore());
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, index) => handle(context(), counter, 'count-1', count(index))),
    );
    expect(sent).toHaveLength(60);
    expect((await loadState(store, counter, 'count-1')).state).toBe((59 * 60) / 2);
  });

  it('decides again after another write in between', async () => {
    const { store, context } = product(rawEventStore());
    const userId = 'user-1';
    const reserve = (jobId: string) =>
      ({
        type: 'ReserveAnalyses',
        userId,
        jobIds: [jobId],
        batchId: jobId,
        allowance: 1,
        isAdmin: false,
        at: '2026-03-01T00:00:00.000Z',
      }) as const;
    let appends = 0;
    const racing: EventStore = Object.assign(Object.create(store) as EventStore, {
      append: async (...input: Parameters<EventStore['append']>) => {
        appends += 1;
        if (appends === 1) await handle(context(), billingDecider, billingStream(userId), reserve('theirs'));
        return store.append(...input);
      },
    });
    await expect(
      handle(context(undefined, racing), billingDecider, billingStream(userId), reserve('ours')),
    ).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    expect(appends).toBe(1);
  });

  it('waits longer and longer between attempts while the stream never stops changing, then gives up', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { store, context } = product(rawEventStore());
    const triedAt: number[] = [];
    const hopeless: EventStore = Object.assign(Object.create(store) as EventStore, {
      append: async () => {
        triedAt.push(Date.now());
        throw new RevisionConflict('count-1', 'no_stream', 0n);
      },
    });
    const refused = expect(handle(context(undefined, hopeless), counter, 'count-1', count(1))).rejects.toBeInstanceOf(
      RevisionConflict,
    );
    await vi.runAllTimersAsync();
    await refused;
    const pauses = triedAt.slice(1).map((at, nth) => at - (triedAt[nth] ?? 0));
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 100]);
    expect(new Set(pauses.slice(8))).toEqual(new Set([100]));
    expect(pauses).toHaveLength(39);
  });

  it('is given up while it waits if nobody waits for it any more', async () => {
    vi.useFakeTimers();
    const { store, context } = product(rawEventStore());
    const leaving = new AbortController();
    const hopeless: EventStore = Object.assign(Object.create(store) as EventStore, {
      append: async () => {
        setTimeout(() => leaving.abort(new Error('gone')), 0);
        throw new RevisionConflict('count-1', 'no_stream', 0n);
      },
    });
    const refused = expect(
      handle({ ...context(undefined, hopeless), signal: leaving.signal }, counter, 'count-1', count(1)),
    ).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(0);
    await refused;
  });

  it('is the same command with what is drawn again for each attempt', async () => {
    const { context, log } = product(rawEventStore());
    await handle(context('command-1'), counter, 'count-1', count(2), { drawn: ['by'] });
    expect(await handle(context('command-1'), counter, 'count-1', count(3), { drawn: ['by'] })).toMatchObject({
      events: [],
      state: 2,
    });
    expect(await log()).toHaveLength(2);
  });

  it('answers with the stream’s position when there is nothing to do', async () => {
    const { context } = product(rawEventStore());
    const release = { type: 'ReleaseAnalysis', userId: 'u', jobId: 'j', reason: 'job_failed', at: 't' } as const;
    expect(await handle(context(), billingDecider, billingStream('u'), release)).toMatchObject({
      events: [],
      revision: null,
      position: START,
    });
  });

  it('writes nothing when a rule forbids the command', async () => {
    const { context, log } = product(rawEventStore());
    const reserve = {
      type: 'ReserveAnalyses',
      userId: 'u',
      jobIds: ['j'],
      batchId: 'b',
      allowance: 0,
      isAdmin: false,
      at: '2026-03-01T00:00:00.000Z',
    } as const;
    await expect(handle(context(), billingDecider, billingStream('u'), reserve)).rejects.toBeInstanceOf(DomainError);
    expect(await log()).toEqual([]);
  });

  it('writes nothing to a deleted stream', async () => {
    const { store, context } = product(rawEventStore());
    await store.delete('count-1');
    await expect(handle(context(), counter, 'count-1', count(1))).rejects.toBeInstanceOf(StreamDeleted);
  });
});

describe('a derived id', () => {
  it('is the same one of a series', () => {
    const ids = derivedIds('c', 'a', 'long '.repeat(1_000));
    for (const last of ['0', '1', '"', ',']) expect(ids(last)).toBe(derivedId('c', 'a', 'long '.repeat(1_000), last));
  });
  it('is a UUID derived from its parts', () => {
    expect(derivedId('c', 'a', 'b')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(derivedId('c', 'a', 'b')).toBe(derivedId('c', 'a', 'b'));
  });
  it('differs for different parts, however they are split', () => {
    const ids = [
      derivedId('c'),
      derivedId('c', 'ab'),
      derivedId('c', 'a', 'b'),
      derivedId('ca', 'b'),
      derivedId('c', 'b', 'a'),
      derivedId('c', '', 'ab'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
