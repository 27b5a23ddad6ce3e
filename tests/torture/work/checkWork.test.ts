import { describe, expect, it } from 'vitest';
import { mailOf } from '../../../src/commands/mail/mailOf.ts';
import type { WorkItem } from '../../../src/work/kind.ts';
import { checkWork, type WorkFacts } from './checkWork.ts';
import { type Calm, freePlaces, type Places } from './freePlaces.ts';
import { createWaits } from './samplePlaces.ts';
import type { WorkEvent } from './workLog.ts';

type Written = readonly [at: number, type: string, data: Readonly<Record<string, unknown>>];

/** A log of events written at these times, ms. */
function logOf(...written: readonly Written[]): readonly WorkEvent[] {
  return written.map(([at, type, data], index) => ({
    id: `event-${index}`,
    stream: `stream-${index}`,
    revision: 0,
    position: String(index + 1).padStart(20, '0'),
    type,
    at,
    data,
  }));
}

const nothing = {
  jobs: new Set<string>(),
  cancelled: new Set<string>(),
  deleted: new Set<string>(),
  accountsGone: new Set<string>(),
};

function faultsOf(
  log: readonly WorkEvent[],
  facts: Partial<WorkFacts> & { readonly items?: readonly WorkItem[] } = {},
): readonly string[] {
  const { items = [], ...rest } = facts;
  const view = { log, items, upTo: log.at(-1)?.position ?? '' };
  return checkWork({
    view,
    record: log,
    mails: [],
    deliveries: [],
    broken: [],
    replies: nothing,
    places: { longest: [], judgedMs: 0 },
    ...rest,
  }).faults;
}

const job = { jobId: 'job', userId: 'user' };
const reserved: Written = [0, 'AnalysisReserved', job];
const submitted: Written = [1, 'JobSubmitted', job];
const failed: Written = [20, 'JobFailed', { ...job, code: 'INTERNAL', reason: 'ours' }];
const dropped = (log: readonly WorkEvent[], at: number): Written => [
  at,
  'MailDropped',
  { mailId: mailIdIn(log), reason: 'nothing_to_tell' },
];
const mailIdIn = (log: readonly WorkEvent[]): string => log.flatMap((event) => mailOf(event)?.mailId ?? [])[0] ?? '';

/** The log with a last event about its mail. */
function settled(...written: readonly Written[]): readonly WorkEvent[] {
  const log = logOf(...written);
  return logOf(...written, dropped(log, 1_000));
}

describe('jobs', () => {
  it('pass if given up and released', () => {
    expect(
      faultsOf(settled(reserved, submitted, [2, 'JobStarted', job], failed, [30, 'AnalysisReleased', job])),
    ).toEqual([]);
  });

  it('are counted as given up because of kills', () => {
    const log = settled(reserved, submitted, failed, [30, 'AnalysisReleased', job]);
    const { figures } = checkWork({
      view: { log, items: [], upTo: '' },
      record: log,
      mails: [],
      deliveries: [],
      broken: [],
      replies: nothing,
      places: { longest: [], judgedMs: 0 },
    });
    expect(figures.innocents).toEqual([{ what: 'audit', id: 'job', givenBack: true }]);
  });

  it.each([
    ['never ended', [reserved, submitted], 'job job never ended'],
    ['pending', [reserved, submitted], 'audit/job is pending and was never done'],
    ['not released', [reserved, submitted, failed], 'the reservation of job job ended never'],
    [
      'released twice',
      [reserved, [30, 'AnalysisReleased', job], [31, 'AnalysisReleased', job]],
      'the reservation of job job ended 2 times',
    ],
    [
      'started twice',
      [reserved, submitted, [2, 'JobStarted', job], [9_000, 'JobStarted', job], failed],
      `job job was begun again (JobStarted at ${'4'.padStart(20, '0')}) although nothing had broken off the try before it (${'3'.padStart(20, '0')})`,
    ],
  ] as const)('are reported if %s', (_, written, says) => {
    expect(faultsOf(logOf(...(written as readonly Written[])))).toContain(says);
  });

  it('may start again after their slot went to another audit', () => {
    const again: Written = [9_000, 'JobStarted', { ...job, afterSlowSite: true }];
    const log = settled(reserved, submitted, [2, 'JobStarted', job], again, failed, [30, 'AnalysisReleased', job]);
    expect(faultsOf(log)).toEqual([]);
  });

  it('may start again after their process was killed', () => {
    const log = settled(reserved, submitted, [2, 'JobStarted', job], [9_000, 'JobStarted', job], failed, [
      30,
      'AnalysisReleased',
      job,
    ]);
    expect(faultsOf(log, { broken: [{ from: 4_000, to: 5_000 }] })).toEqual([]);
  });

  it('are reported if acknowledged but missing', () => {
    expect(faultsOf([], { replies: { ...nothing, jobs: new Set(['lost']) } })).toEqual([
      'job lost was acknowledged and is not in the log',
    ]);
  });
});

describe('mails and deliveries', () => {
  const mail = { mailId: 'mail' };
  const prepared: Written = [2, 'MailPrepared', mail];
  const sent: Written = [5, 'MailSent', mail];
  const delivery = { deliveryId: 'delivery', userId: 'user' };
  const queued: Written = [1, 'WebhookQueued', delivery];
  const started: Written = [2, 'WebhookTryStarted', delivery];
  const tried: Written = [5, 'WebhookTried', { ...delivery, ok: true, status: 204, nextTryAt: null }];
  const arrival = (id: string, at: number, answered = true) => ({ id, at, answered });

  /** Events of a single stream. */
  const streamOf = (...written: readonly Written[]): readonly WorkEvent[] =>
    logOf(...written).map((event, revision) => ({ ...event, stream: 'stream', revision }));

  it('pass if they arrived once', () => {
    expect(faultsOf(logOf(prepared, sent), { mails: [arrival('mail', 3)] })).toEqual([]);
    expect(faultsOf(streamOf(queued, started, tried), { deliveries: [arrival('delivery', 3)] })).toEqual([]);
  });

  it('pass if they arrived again after an attempt with an unknown outcome', () => {
    const again: Written = [4_000, 'MailPrepared', mail];
    expect(
      faultsOf(logOf(prepared, again, sent), { mails: [arrival('mail', 3, false), arrival('mail', 4_100)] }),
    ).toEqual([]);
  });

  it.each([
    [
      'arrived twice',
      { mails: [arrival('mail', 3), arrival('mail', 4)] },
      'mail mail arrived 2 times, and was tried 1 times',
    ],
    ['never arrived', {}, 'mail mail is marked as sent, and never arrived'],
    [
      'is unknown to the log',
      { mails: [arrival('mail', 3), arrival('other', 3)] },
      'mail other arrived, and the log does not know it',
    ],
  ])('are reported: a mail that %s', (_, facts, says) => {
    expect(faultsOf(logOf(prepared, sent), facts)).toContain(says);
  });

  it('are reported: a delivery that arrived twice', () => {
    const facts = { deliveries: [arrival('delivery', 3), arrival('delivery', 4)] };
    expect(faultsOf(streamOf(queued, started, tried), facts)).toEqual([
      'delivery delivery arrived 2 times, queued 1 times, with 0 tries of unknown outcome',
    ]);
  });

  it('allow for events of a delivery that were erased unseen, and no more', () => {
    const deliveries = [arrival('delivery', 3), arrival('delivery', 40)];
    const forgotten = (revision: number) =>
      streamOf(queued, started, tried, [60, 'WebhookForgotten', delivery]).map((event, index) =>
        index === 3 ? { ...event, revision } : event,
      );
    expect(faultsOf(forgotten(6), { deliveries })).toEqual([]);
    expect(faultsOf(forgotten(3), { deliveries })).toHaveLength(1);
  });
});

describe('the list', () => {
  it('is reported if it differs from the pending work in the log', () => {
    const item: WorkItem = {
      kind: 'audit',
      itemId: 'job',
      lane: 'user',
      opening: '1',
      openedAt: '',
      dueAt: '2026-01-01T00:00:00.000Z',
      rank: 0,
      opener: { id: 'opener', stream: 'stream-0', revision: '0', type: 'JobSubmitted' },
    };
    expect(faultsOf(logOf([0, 'Other', {}]), { items: [item] })).toEqual([
      'audit/job is listed, but the log has no such work pending',
    ]);
    expect(faultsOf(logOf(reserved, submitted))).toContain('audit/job is pending, but not listed');
  });

  it('may contain items whose events were erased from the log', () => {
    const item: WorkItem = {
      kind: 'mail',
      itemId: 'mail',
      lane: 'user',
      opening: '1',
      openedAt: '',
      dueAt: '2026-01-01T00:00:00.000Z',
      rank: 0,
      opener: { id: 'opener', stream: 'erased', revision: '4', type: 'JobCompleted' },
    };
    expect(faultsOf(logOf([0, 'Other', {}]), { items: [item] })).toEqual([]);
  });
});

describe('free places', () => {
  const places: Places = { audit: { all: 2, ofLane: 1 }, mail: { all: 1, ofLane: 1 }, webhook: { all: 1, ofLane: 1 } };
  const calm = (from: number, to: number, alone: readonly string[] = []): Calm => ({
    from,
    to,
    ends: 'killed',
    alone: new Set(alone),
  });
  const of = (jobId: string, userId: string) => ({ jobId, userId });
  const longest = (log: readonly WorkEvent[], ...times: readonly Calm[]) =>
    freePlaces(log, [], times, places).longest[0]?.ms ?? 0;

  it('are measured by how long due work waited beside them', () => {
    expect(
      longest(logOf([1_000, 'JobSubmitted', of('a', 'x')], [4_000, 'JobStarted', of('a', 'x')]), calm(0, 9_000)),
    ).toBe(3_000);
  });

  it('do not count for work that waits for a place, or for its own user', () => {
    const log = logOf(
      [0, 'JobSubmitted', of('a', 'x')],
      [0, 'JobStarted', of('a', 'x')],
      [10, 'JobSubmitted', of('b', 'x')],
    );
    expect(longest(log, calm(0, 9_000))).toBe(0);
    const full = logOf(
      ...['x', 'y'].flatMap((user): Written[] => [
        [0, 'JobSubmitted', of(user, user)],
        [0, 'JobStarted', of(user, user)],
      ]),
      [10, 'JobSubmitted', of('c', 'z')],
    );
    expect(longest(full, calm(0, 9_000))).toBe(0);
  });

  it('count a place kept for idle users only for those users', () => {
    const kept: Places = { ...places, audit: { all: 2, ofLane: 2, kept: 1 } };
    const log = (next: string) =>
      logOf(
        [0, 'JobSubmitted', of('a', 'x')],
        [0, 'JobStarted', of('a', 'x')],
        [10, 'JobSubmitted', of('b', next)],
        [40, 'JobStarted', of('b', next)],
      );
    const waited = (next: string) => freePlaces(log(next), [], [calm(0, 9_000)], kept).longest[0]?.ms ?? 0;
    expect([waited('x'), waited('y')]).toEqual([0, 30]);
    // Who has had one that day may not use it either.
    const again = logOf(
      [0, 'JobSubmitted', of('y1', 'y')],
      [0, 'JobStarted', of('y1', 'y')],
      [5, 'JobCompleted', of('y1', 'y')],
      [6, 'JobSubmitted', of('a', 'x')],
      [6, 'JobStarted', of('a', 'x')],
      [10, 'JobSubmitted', of('y2', 'y')],
    );
    const { longest: idle } = freePlaces(again, [], [calm(0, 9_000)], kept);
    expect(idle.filter((each) => each.kind === 'audit')).toEqual([]);
  });

  it('count only while the process is up, whose claimed work is then due again', () => {
    const log = logOf([0, 'JobSubmitted', of('a', 'x')], [0, 'JobStarted', of('a', 'x')]);
    expect(longest(log, calm(0, 1_000), calm(5_000, 6_500))).toBe(1_500);
  });

  it('do not count beside an item that must run alone, until it has finished', () => {
    const log = logOf(
      ...([
        [0, 'JobSubmitted', of('a', 'x')],
        [0, 'JobSubmitted', of('b', 'y')],
        [2_000, 'JobStarted', of('a', 'x')],
      ] as const),
      [4_000, 'JobStepEnded', of('a', 'x')],
      [5_000, 'JobDeleted', of('a', 'x')],
    );
    expect(longest(log, calm(0, 6_000, ['audit/a']))).toBe(1_000);
    expect(longest(log, calm(0, 6_000))).toBe(6_000);
  });

  it('are measured again after each dropped email, which had used a slot', () => {
    const reset = (requestId: string, userId: string) => ({ requestId, userId });
    const log = logOf(
      ...([
        [0, 'PasswordResetAsked', reset('a', 'x')],
        [0, 'PasswordResetAsked', reset('b', 'y')],
      ] as const),
      [1_500, 'MailDropped', { mailId: 'another', reason: 'gone' }],
    );
    expect(longest(log, calm(0, 3_500))).toBe(2_000);
  });
});

describe('samples of free places', () => {
  const itemOf = (itemId: string, dueAt: string): WorkItem => ({
    kind: 'mail',
    itemId,
    lane: itemId,
    opening: '1',
    openedAt: dueAt,
    dueAt,
    rank: 0,
    opener: { id: 'opener', stream: 'stream', revision: '0', type: 'JobSubmitted' },
  });
  const [early, waiting, late] = ['early', 'waiting', 'late'].map((id, index) =>
    itemOf(id, `2026-01-01T00:00:0${index}.000Z`),
  ) as [WorkItem, WorkItem, WorkItem];

  /** One sample a second, with the untaken items of each; `waiting` has a place in all of them. */
  function longestWait(...samples: readonly (readonly WorkItem[])[]): number {
    const waits = createWaits();
    samples.forEach((items, index) => {
      const untaken = new Map(items.map((item) => [item.itemId, item]));
      waits.add({
        at: index * 1_000,
        until: index * 1_000,
        waiting: new Map([['waiting', waiting]]),
        untaken,
        seen: '',
      });
    });
    return waits.end().longest[0]?.ms ?? 0;
  }

  it('add up while nothing is taken', () => {
    expect(longestWait([waiting], [waiting], [waiting], [waiting])).toBe(3_000);
  });

  it('start over when other work was taken first', () => {
    expect(longestWait([early, waiting], [early, waiting], [waiting], [waiting])).toBe(1_000);
  });

  it('add up while work is taken that was due later', () => {
    expect(longestWait([waiting, late], [waiting], [waiting])).toBe(2_000);
  });
});
