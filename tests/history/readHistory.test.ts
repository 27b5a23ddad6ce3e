import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobDecider } from '../../src/domain/job/decide.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { foldOf } from '../../src/history/folded.ts';
import { history } from '../../src/history/history.ts';
import {
  type HistoryFilter,
  type HistoryPlace,
  readHistory,
  readStep,
  wholeHistory,
} from '../../src/history/readHistory.ts';
import { kindOf } from '../../src/history/streams.ts';
import { roundsDuring, slowly } from '../given/loopRounds.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';

const USER = 'ann';
const at = (minute: number): string => new Date(Date.UTC(2026, 2, 10, 12, minute)).toISOString();

/** A bill with that many grants of credits, a minute apart. */
async function givenBill(grants: number) {
  const store = memoryEventStore();
  const stream = `billing-${USER}`;
  for (let from = 0; from < grants; from += 1_000) {
    const events = Array.from({ length: Math.min(1_000, grants - from) }, (_, index) => {
      const nth = from + index;
      const data = {
        userId: USER,
        grantId: `grant-${nth}`,
        credits: 1,
        reason: 'A gift',
        balance: nth + 1,
        grantedAt: at(nth),
      };
      return {
        id: randomUUID(),
        type: 'CreditsGranted',
        data,
        metadata: metadataAt(at(nth), { kind: 'admin', id: nth % 2 === 0 ? 'eve' : 'odd', onBehalfOf: USER }),
      };
    });
    await store.append(stream, events, { expected: from === 0 ? 'no_stream' : BigInt(from - 1) });
  }
  const found = kindOf(stream);
  if (!found) throw new Error('There is no such kind.');
  return { store, stream, kind: found.kind };
}

type Given = Awaited<ReturnType<typeof givenBill>>;

async function page(given: Given, place: HistoryPlace, filter: HistoryFilter = {}, limit = 100) {
  const read = await readHistory(given, { place, filter, limit });
  if (read.status !== 'found') throw new Error(read.status);
  return { ...read, told: read.steps.map(({ event, differences }) => [Number(event.revision), differences().changes]) };
}

const credits = (revision: number) => [revision, [{ path: ['credits'], before: revision, after: revision + 1 }]];

describe('the history of a decider', () => {
  it('has each event with the state before it, the state after it, and the differences', () => {
    const jobId = 'job';
    const submitted = {
      jobId,
      userId: USER,
      url: 'https://a.example/',
      host: 'a.example',
      bounds: { maxPages: 5, maxMs: 1_000 },
      access: 'full',
      submittedAt: at(0),
    };
    const events = [
      { type: 'JobSubmitted', data: submitted },
      { type: 'JobQueued', data: { jobId, queuedAt: at(1) } },
      { type: 'JobCancelled', data: { jobId, by: 'user:ann', cancelledAt: at(2) } },
    ].map(
      ({ type, data }, revision): RecordedEvent => ({
        id: `${revision}`,
        type,
        data,
        metadata: metadataAt(at(revision)),
        stream: 'job-job',
        revision: BigInt(revision),
        position: '0',
      }),
    );
    const steps = [...history(foldOf(jobDecider), events, new Set())];
    expect(
      steps.map(({ before, after }) => [before, after].map((state) => (state.shown() as { status: string }).status)),
    ).toEqual([
      ['none', 'submitted'],
      ['submitted', 'queued'],
      ['queued', 'finished'],
    ]);
    expect(steps[1]?.differences()).toEqual({
      changes: [{ path: ['status'], before: 'submitted', after: 'queued' }],
      omitted: 0,
    });
  });

  it('skips unreadable events', () => {
    const unreadable: RecordedEvent = {
      id: '1',
      type: 'JobQueued',
      data: {},
      metadata: metadataAt(at(0)),
      stream: 'job-1',
      revision: 0n,
      position: '0',
      unreadable: 'no id',
    };
    const [step] = [...history(foldOf(jobDecider), [unreadable], new Set())];
    expect(step?.differences().changes).toEqual([]);
  });
});

describe('a page of a history', () => {
  it('begins at either end, continues in both directions, and shows the changes of each event', async () => {
    const bill = await givenBill(25);
    const newest = await page(bill, { direction: 'backward', from: null }, {}, 10);
    expect(newest.told).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24].map(credits));
    expect([newest.seen, newest.first, newest.last]).toEqual([{ from: 15n, to: 24n }, 0n, 24n]);
    expect((await page(bill, { direction: 'backward', from: 14n }, {}, 100)).told).toEqual(
      Array.from({ length: 15 }, (_, nth) => credits(nth)),
    );
    expect((await page(bill, { direction: 'forward', from: null }, {}, 2)).told).toEqual([credits(0), credits(1)]);
    expect((await page(bill, { direction: 'forward', from: 24n })).told).toEqual([credits(24)]);
    for (const place of [
      { direction: 'forward', from: 25n },
      { direction: 'backward', from: -1n },
    ] as const)
      expect(await page(bill, place)).toMatchObject({ told: [], seen: null });
    expect((await page(bill, { direction: 'backward', from: 900n }, {}, 1)).told).toEqual([credits(24)]);
  });

  it('stops reading when its request is aborted', async () => {
    const bill = await givenBill(25);
    const stopping = new AbortController();
    const store = {
      ...bill.store,
      read: (...asked: Parameters<typeof bill.store.read>) => {
        // The state before the page is the slow part.
        if (asked[1]?.direction === 'backward') stopping.abort(new Error('gone'));
        return bill.store.read(...asked);
      },
    };
    const place = { direction: 'backward', from: null } as const;
    await expect(
      readHistory({ ...bill, store, signal: stopping.signal }, { place, filter: {}, limit: 5 }),
    ).rejects.toThrow('gone');
  });

  it('folds events that a filter hides', async () => {
    const bill = await givenBill(25);
    const odd = await page(bill, { direction: 'backward', from: null }, { actors: ['odd'] }, 3);
    expect(odd.told).toEqual([19, 21, 23].map(credits));
    expect(odd.seen).toEqual({ from: 19n, to: 24n });
    expect((await page(bill, { direction: 'forward', from: null }, { from: at(3), to: at(5) })).told).toEqual(
      [3, 4].map(credits),
    );
    expect(await page(bill, { direction: 'forward', from: null }, { types: ['FundsAdded'] })).toMatchObject({
      told: [],
      seen: { from: 0n, to: 24n },
    });
    expect((await page(bill, { direction: 'forward', from: null }, { actors: [USER] })).told).toHaveLength(25);
  });

  it('of a long stream shows the same wherever it begins, again and again', async () => {
    const bill = await givenBill(3_000);
    const { store } = bill;
    let read = 0;
    const counted = {
      ...bill,
      store: {
        ...store,
        read: async (...given: Parameters<typeof store.read>) => {
          const answer = await store.read(...given);
          if (answer.status === 'found') read += answer.events.length;
          return answer;
        },
      },
    };
    for (const from of [2_999n, 1_234n, 2_600n, 10n, 2_999n]) {
      const { told } = await page(counted, { direction: 'backward', from }, {}, 5);
      expect(told).toEqual(Array.from({ length: 5 }, (_, nth) => credits(Number(from) - 4 + nth)));
    }
    // The first one folds all before it; the others continue from the cached fold.
    expect(read).toBeLessThan(3_000 + 4 * 1_000);
  });

  it('begins after erased events, whatever was cached of them', async () => {
    const bill = await givenBill(1_200);
    await page(bill, { direction: 'backward', from: null });
    await bill.store.truncate(bill.stream, 1_100n);
    const { first, told } = await page(bill, { direction: 'forward', from: null }, {}, 1);
    expect(first).toBe(1_100n);
    expect(told).toEqual([[1_100, [{ path: ['credits'], before: 0, after: 1 }]]]);
  });

  it('of a missing or deleted stream says so', async () => {
    const bill = await givenBill(1);
    const place = { direction: 'backward', from: null } as const;
    expect(await readHistory({ ...bill, stream: 'billing-nobody' }, { place, filter: {}, limit: 1 })).toEqual({
      status: 'missing',
    });
    await bill.store.delete(bill.stream);
    expect(await readHistory(bill, { place, filter: {}, limit: 1 })).toEqual({ status: 'deleted' });
  });
});

describe('one event', () => {
  it('is found by its number, with the states around it', async () => {
    const bill = await givenBill(5);
    const step = await readStep(bill, 2n);
    expect([step?.before.shown(), step?.after.shown()]).toMatchObject([{ credits: 2 }, { credits: 3 }]);
    expect((await readStep(bill, null))?.event.revision).toBe(4n);
    expect(await readStep(bill, 5n)).toBeNull();
  });
});

describe('all of a history', () => {
  it('is read from the beginning, as far as it matches', async () => {
    const bill = await givenBill(1_200);
    const told: unknown[] = [];
    for await (const { event, differences } of wholeHistory(bill, { actors: ['odd'], from: at(1_000) }))
      told.push([Number(event.revision), differences().changes]);
    expect(told).toEqual(Array.from({ length: 100 }, (_, nth) => credits(1_001 + 2 * nth)));
  });
});

describe('a whole history', () => {
  it('lets others in while it is read', async () => {
    const given = await givenBill(5_000);
    let steps = 0;
    const rounds = await roundsDuring(async () => {
      for await (const _ of wholeHistory({ ...given, store: slowly(given.store) }, {})) steps += 1;
    });
    expect(steps).toBe(5_000);
    expect(rounds).toBeGreaterThanOrEqual(9);
  });
});
