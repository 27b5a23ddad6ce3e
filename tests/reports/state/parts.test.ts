/** Reports in parts: every split of a log by its streams leads to what one reading leads to. */
import { describe, expect, it } from 'vitest';
import { STREAM_KINDS } from '../../../src/domain/stored/catalogue/streamKinds.ts';
import { type EventStore, type RecordedEvent, START } from '../../../src/eventStore/eventStore.ts';
import { REPORTS } from '../../../src/reports/all.ts';
import type { AnyReport } from '../../../src/reports/report.ts';
import { revenue } from '../../../src/reports/revenue.ts';
import { type Folded, foldOn, resultOf, type Until, unfolded } from '../../../src/reports/run.ts';
import { allowsParts, mergeParts, partOf, progressOf } from '../../../src/reports/state/parts.ts';
import { FROZEN_EVENTS } from '../../given/frozenEvents.ts';
import { ofUser } from '../../given/reportHistory.ts';
import { ALL, NOW } from '../../given/reports.ts';

const PARTED = REPORTS.filter((report) => allowsParts([report]));
const USERS = 6;
const HOUR_MS = 60 * 60 * 1_000;
const FIRST_MS = Date.parse('2026-03-01T00:00:00.000Z');

/** Numbers from 0 to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const kindOf = (type: string): string => STREAM_KINDS.find(({ types }) => Object.hasOwn(types, type))?.kind ?? 'none';

/**
 * Events of several users in any order, each in a stream of its kind and user. `clocksDifferMs`: how much earlier than
 * its place an event may be stamped.
 */
function randomLog(random: () => number, count: number, clocksDifferMs = 0): readonly RecordedEvent[] {
  return Array.from({ length: count }, (_, nth): RecordedEvent => {
    const { type, data, metadata } = FROZEN_EVENTS[
      Math.floor(random() * FROZEN_EVENTS.length)
    ] as (typeof FROZEN_EVENTS)[number];
    const user = Math.floor(random() * USERS);
    return {
      id: `event-${nth}`,
      type,
      data: ofUser(data, user) as RecordedEvent['data'],
      stream: `${kindOf(type)}-${user}`,
      revision: BigInt(nth),
      metadata: { ...metadata, at: new Date(FIRST_MS + nth * HOUR_MS - random() * clocksDifferMs).toISOString() },
      position: String(nth + 1).padStart(20, '0'),
      ...(random() < 0.02 ? { unreadable: 'for some reason' } : {}),
    };
  });
}

const storeOf = (events: readonly RecordedEvent[]): Pick<EventStore, 'readAll' | 'head'> => ({
  head: async () => events.at(-1)?.position ?? START,
  readAll: async ({ after = START, filter } = {}) => ({
    events: events.filter(({ position, type }) => position > after && filter?.types?.includes(type)),
    next: events.at(-1)?.position ?? START,
    end: true,
  }),
});

async function folded(report: AnyReport, events: readonly RecordedEvent[], until: Until = null): Promise<Folded> {
  const run = unfolded(report, until);
  await foldOn(run, { store: storeOf(events) });
  return run;
}

async function partsOf(report: AnyReport, events: readonly RecordedEvent[], until: Until, random: () => number) {
  const count = 2 + Math.floor(random() * 3);
  const ofStream = new Map<string, number>();
  for (const { stream } of events) if (!ofStream.has(stream)) ofStream.set(stream, Math.floor(random() * count));
  const parts = Array.from({ length: count }, (_, nth) =>
    folded(
      report,
      events.filter(({ stream }) => ofStream.get(stream) === nth),
      until,
    ),
  );
  return (await Promise.all(parts)).map(partOf);
}

const answers = (run: Folded) =>
  (['day', 'month'] as const).flatMap((by) => [
    resultOf(run, { ...ALL, by }, NOW),
    resultOf(run, { from: '2026-03-04', to: '2026-03-09', by }, NOW),
  ]);

const untils: readonly Until[] = [null, { at: '2026-03-06T11:20:00.000Z' }, { position: '250'.padStart(20, '0') }];

it('the reports revenue, codes, usage, emails and errors can be folded in parts', () => {
  expect(PARTED.map(({ name }) => name)).toEqual(['revenue', 'codes', 'usage', 'mails', 'errors']);
  expect(allowsParts(REPORTS)).toBe(false);
});

describe.each(PARTED.map((report) => [report.name, report] as const))('%s in parts', (_, report) => {
  it('gives the result of a single pass at any moment, and continues with the same results', async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = randomOf(seed);
      const events = randomLog(random, 600, 40 * 60 * 1_000);
      for (const until of untils) {
        const whole = await folded(report, events, until);
        const merged = unfolded(report, until);
        expect(mergeParts(merged, await partsOf(report, events, until, random))).toBe(true);
        expect(answers(merged)).toEqual(answers(whole));
        expect([merged.events, merged.unreadable, merged.newest, merged.endedAt]).toEqual([
          whole.events,
          whole.unreadable,
          whole.newest,
          whole.endedAt,
        ]);
        const later = randomLog(random, 200).filter(({ type }) => report.types.includes(type));
        for (const run of [merged, whole]) {
          run.state = later.reduce(report.evolve, run.state);
          run.events += later.length;
        }
        expect(answers(merged)).toEqual(answers(whole));
      }
    }
  });

  it('does not matter in which order the parts are merged', async () => {
    const events = randomLog(randomOf(3), 400);
    const three = async () => (await partsOf(report, events, null, randomOf(7))).slice(0, 3);
    const state =
      (...order: readonly number[]) =>
      async () => {
        const parts = await three();
        return order.map((nth) => parts[nth]).filter((part) => part !== undefined);
      };
    const results = await Promise.all(
      [state(0, 1, 2), state(2, 0, 1), state(1, 2, 0)].map(async (ordered) => {
        const merged = unfolded(report, null);
        mergeParts(merged, await ordered());
        return answers(merged);
      }),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it('is never something else where clocks differ by hours', async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = randomOf(seed);
      const events = randomLog(random, 400, 30 * HOUR_MS);
      const until: Until = { at: '2026-03-06T11:20:00.000Z' };
      const merged = unfolded(report, until);
      if (mergeParts(merged, await partsOf(report, events, until, random)))
        expect(answers(merged)).toEqual(answers(await folded(report, events, until)));
    }
  });
});

it('parts of which one counts what comes after the end of another are not merged', async () => {
  const until: Until = { at: '2026-03-02T00:00:00.000Z' };
  const [first] = randomLog(randomOf(1), 1) as readonly [RecordedEvent];
  const event = (nth: number, stream: string, at: string): RecordedEvent => ({
    ...first,
    type: 'CreditsGranted',
    data: { credits: 1 },
    stream,
    position: String(nth).padStart(20, '0'),
    metadata: { ...first.metadata, at },
  });
  const early = event(1, 'billing-1', '2026-03-01T00:00:00.000Z');
  const end = event(2, 'billing-2', '2026-03-09T00:00:00.000Z');
  const merged = async (late: RecordedEvent) => {
    const parts = await Promise.all([[early, late], [end]].map((events) => folded(revenue, events, until)));
    const run = unfolded(revenue, until);
    return [mergeParts(run, parts.map(partOf)), run.events];
  };
  expect(await merged(event(3, 'billing-1', '2026-03-01T00:00:00.000Z'))).toEqual([false, 0]);
  expect(await merged(event(3, 'billing-1', '2026-03-08T00:00:00.000Z'))).toEqual([true, 1]);
});

it('the progress of parts is their average, and done when the slowest is', () => {
  const parts = [
    { done: 0.5, events: 10, secondsLeft: 3 },
    { done: 0.25, events: 4, secondsLeft: 9 },
  ];
  expect(progressOf(parts)).toEqual({ done: 0.375, events: 14, secondsLeft: 9 });
  expect(progressOf([...parts, { done: 0, events: 0, secondsLeft: null }]).secondsLeft).toBe(null);
});
