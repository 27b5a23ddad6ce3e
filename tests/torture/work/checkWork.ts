/**
 * The verdict on a work run: pending work is done, once, and nothing is left open. Pure, over the log and the arrivals
 * outside.
 */
import type { FreePlaces } from './freePlaces.ts';
import type { Arrival } from './outsideWorld.ts';
import { foldPending, listDifferences } from './workFold.ts';
import type { WorkEvent, WorkView } from './workLog.ts';
import type { Acknowledged } from './workUser.ts';

/** When a worker process or a store was down or paused, ms. */
export type Broken = { readonly from: number; readonly to: number };

export type WorkFacts = {
  readonly view: WorkView;
  /** Every event ever seen, including erased ones. */
  readonly record: readonly WorkEvent[];
  readonly mails: readonly Arrival[];
  readonly deliveries: readonly Arrival[];
  readonly broken: readonly Broken[];
  readonly replies: Pick<Acknowledged, 'jobs' | 'cancelled' | 'deleted' | 'accountsGone'>;
  readonly places: FreePlaces;
};

export type Innocent = {
  readonly what: 'audit' | 'mail' | 'delivery';
  readonly id: string;
  readonly givenBack: boolean | null;
};

export type WorkFigures = {
  readonly events: number;
  readonly jobs: number;
  /** Jobs by outcome. */
  readonly ends: Readonly<Record<string, number>>;
  readonly audits: { readonly begun: number; readonly begunAgain: number };
  readonly mails: {
    readonly sent: number;
    readonly dropped: Readonly<Record<string, number>>;
    readonly arrived: number;
    readonly arrivedAgain: number;
  };
  readonly deliveries: {
    readonly delivered: number;
    readonly failed: number;
    readonly arrived: number;
    readonly arrivedAgain: number;
  };
  readonly setAside: number;
  /** Given up without a fault of their own, most likely because processes were killed. */
  readonly innocents: readonly Innocent[];
};

export type WorkVerdict = { readonly faults: readonly string[]; readonly figures: WorkFigures };

/** It is a fault if work is due beside a free place for longer than this, ms. */
const IDLE_MS = 2_000;
/** A store may be late with writes decided before its fault, ms. */
const SLACK_MS = 1_500;

const JOB_ENDS = new Set([
  'JobCompleted',
  'JobPartiallyCompleted',
  'JobPartiallySucceeded',
  'JobCancelled',
  'JobFailed',
]);
const SUCCEEDED = new Set(['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded']);

/** Events by the item they name, in log order. */
function groupBy(log: readonly WorkEvent[], field: string): ReadonlyMap<string, readonly WorkEvent[]> {
  const groups = new Map<string, WorkEvent[]>();
  for (const event of log) {
    const id = event.data[field];
    if (typeof id !== 'string') continue;
    const group = groups.get(id);
    if (group) group.push(event);
    else groups.set(id, [event]);
  }
  return groups;
}

const countOf = (events: readonly WorkEvent[], ...types: readonly string[]): number =>
  events.filter(({ type }) => types.includes(type)).length;

function countBy<T>(all: readonly T[], name: (one: T) => string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[name(one)] = (counts[name(one)] ?? 0) + 1;
  return counts;
}

/** A fault that could interrupt the attempt happened between its start and the next one's. */
const wasBrokenOff = (broken: readonly Broken[], from: number, to: number): boolean =>
  broken.some((hurt) => hurt.to >= from - SLACK_MS && hurt.from <= to);

/** It was completed, but its site is shut to crawlers or could not be judged. */
const isUnjudged = (events: readonly WorkEvent[]): boolean =>
  events.some(({ type, data }) => type === 'JobReportReady' && (data.shut === true || data.notJudged !== undefined)) &&
  events.some(({ type }) => SUCCEEDED.has(type));

/** So many of a user's audits of a site that could judge nothing are given back in a day (UTC). */
const UNJUDGED_A_DAY = 3;

/** Of each job that could judge nothing, whether it counts: the fourth of its user and site in a day does. */
function countedUnjudged(
  log: readonly WorkEvent[],
  jobs: ReadonlyMap<string, readonly WorkEvent[]>,
): ReadonlyMap<string, boolean> {
  const [givenBack, counts] = [new Map<string, number>(), new Map<string, boolean>()];
  for (const { type, data, at } of log) {
    if (type !== 'AnalysisConsumed' && type !== 'AnalysisReleased') continue;
    const events = jobs.get(String(data.jobId)) ?? [];
    // One that was cancelled after its report is given back in the same way.
    if (!isUnjudged(events) && data.siteMark === undefined) continue;
    const host = events.find((event) => event.type === 'JobSubmitted')?.data.host;
    const key = `${data.userId} ${host} ${new Date(at).toISOString().slice(0, 10)}`;
    const before = givenBack.get(key) ?? 0;
    counts.set(String(data.jobId), before >= UNJUDGED_A_DAY);
    if (type === 'AnalysisReleased') givenBack.set(key, before + 1);
  }
  return counts;
}

/** Submitted, ended and paid for once, and everything acknowledged to users exists. */
export function jobFaults(
  log: readonly WorkEvent[],
  replies: WorkFacts['replies'],
  broken: readonly Broken[],
): readonly string[] {
  const faults: string[] = [];
  const jobs = groupBy(log, 'jobId');
  const ofUnjudged = countedUnjudged(log, jobs);
  for (const [jobId, events] of jobs) {
    const has = (type: string): boolean => countOf(events, type) > 0;
    const reserved = countOf(events, 'AnalysisReserved');
    const settled = events.filter(({ type }) => type === 'AnalysisConsumed' || type === 'AnalysisReleased');
    if (reserved > 1) faults.push(`job ${jobId} was reserved for ${reserved} times`);
    if (reserved === 1 && settled.length !== 1)
      faults.push(
        `the reservation of job ${jobId} ended ${settled.length === 0 ? 'never' : `${settled.length} times`}`,
      );
    const ends = events.filter(({ type }) => JOB_ENDS.has(type));
    if (ends.length > 1)
      faults.push(`job ${jobId} ended ${ends.length} times: ${ends.map(({ type }) => type).join(', ')}`);
    // Only the bill of a deleted account remains.
    if (!has('JobSubmitted')) continue;
    if (countOf(events, 'JobSubmitted') > 1)
      faults.push(`job ${jobId} was submitted ${countOf(events, 'JobSubmitted')} times`);
    const [end] = ends;
    // The end of a deleted job may have been erased unseen.
    if (!end && !has('JobDeleted')) faults.push(`job ${jobId} never ended`);
    // A canceled job counts or is released, depending on its progress and on how many were canceled.
    else if (end && end.type !== 'JobCancelled' && settled.length === 1) {
      const reservation = settled[0]?.type;
      const ended = isUnjudged(events) ? 'a site that could not be judged' : end.type;
      const counts = isUnjudged(events) ? ofUnjudged.get(jobId) : SUCCEEDED.has(end.type);
      if (counts !== (reservation === 'AnalysisConsumed'))
        faults.push(`job ${jobId} ended with ${ended}, and its reservation with ${reservation}`);
    }
    if (end?.type === 'JobFailed' && end.data.code !== 'INTERNAL')
      faults.push(`job ${jobId} failed with ${String(end.data.code)}: ${String(end.data.reason)}`);
    // An audit of a slow site gives up its slot, and continues with another one.
    const tries = events.filter(({ type, data }) => type === 'JobStarted' && data.afterSlowSite !== true);
    faults.push(...repeats(`job ${jobId}`, tries, 'JobStarted', (from, to) => wasBrokenOff(broken, from, to)));
  }
  const isThere = (jobId: string, type: string): boolean =>
    (jobs.get(jobId) ?? []).some((event) => event.type === type);
  for (const jobId of replies.jobs)
    if (!jobs.has(jobId)) faults.push(`job ${jobId} was acknowledged and is not in the log`);
  for (const jobId of replies.cancelled)
    if (!isThere(jobId, 'JobCancelled') && !isThere(jobId, 'JobDeleted'))
      faults.push(`job ${jobId} was acknowledged as cancelled, but the log does not say so`);
  for (const jobId of replies.deleted)
    if (!isThere(jobId, 'JobDeleted'))
      faults.push(`job ${jobId} was acknowledged as deleted, but the log does not say so`);
  const gone = new Set(log.flatMap(({ type, data }) => (type === 'AccountDeleted' ? [String(data.userId)] : [])));
  for (const userId of replies.accountsGone)
    if (!gone.has(userId)) faults.push(`account ${userId} was acknowledged as deleted, but the log does not say so`);
  return faults;
}

/** Attempts that were started again although nothing had interrupted the one before. */
function repeats(
  what: string,
  events: readonly WorkEvent[],
  type: string,
  brokenOff: (from: number, to: number) => boolean,
): readonly string[] {
  const begun = events.filter((event) => event.type === type);
  return begun.flatMap((event, index) => {
    const before = begun[index - 1];
    if (!before || brokenOff(before.at, event.at)) return [];
    return [
      `${what} was begun again (${type} at ${event.position}) although nothing had broken off the try before it (${before.position})`,
    ];
  });
}

function arrivalsById(arrivals: readonly Arrival[]): ReadonlyMap<string, readonly Arrival[]> {
  const byId = new Map<string, Arrival[]>();
  for (const arrival of arrivals) byId.set(arrival.id, [...(byId.get(arrival.id) ?? []), arrival]);
  return byId;
}

/** Each mail arrived once, plus at most once for each attempt with an unknown outcome. */
function mailFaults({ record: log, mails, broken }: WorkFacts): readonly string[] {
  const faults: string[] = [];
  const arrived = arrivalsById(mails);
  const byMail = groupBy(log, 'mailId');
  for (const [mailId, events] of byMail) {
    const here = arrived.get(mailId) ?? [];
    const tries = countOf(events, 'MailPrepared');
    if (countOf(events, 'MailSent', 'MailDropped') > 1)
      faults.push(`mail ${mailId} was settled ${countOf(events, 'MailSent', 'MailDropped')} times`);
    if (here.length > Math.max(1, tries))
      faults.push(`mail ${mailId} arrived ${here.length} times, and was tried ${tries} times`);
    if (countOf(events, 'MailSent') > 0 && here.length === 0)
      faults.push(`mail ${mailId} is marked as sent, and never arrived`);
    const unanswered = here.filter(({ answered }) => !answered);
    const brokenOff = (from: number, to: number): boolean =>
      wasBrokenOff(broken, from, to) || unanswered.some(({ at }) => at >= from - SLACK_MS && at <= to);
    faults.push(...repeats(`mail ${mailId}`, events, 'MailPrepared', brokenOff));
  }
  for (const mailId of arrived.keys())
    if (!byMail.has(mailId)) faults.push(`mail ${mailId} arrived, and the log does not know it`);
  return faults;
}

/**
 * Each delivery arrived once for each time it was queued, plus at most once for each attempt with an unknown outcome.
 */
function deliveryFaults({ record: log, deliveries, broken }: WorkFacts): readonly string[] {
  const faults: string[] = [];
  const arrived = arrivalsById(deliveries);
  const byDelivery = groupBy(log, 'deliveryId');
  for (const [deliveryId, events] of byDelivery) {
    // Erased unseen.
    if (countOf(events, 'WebhookQueued') === 0) continue;
    const unseen = unseenIn(events);
    const here = arrived.get(deliveryId)?.length ?? 0;
    const queued = countOf(events, 'WebhookQueued', 'WebhookRequeued');
    const ends = events.filter(({ type }) => type === 'WebhookTried');
    const known = ends.filter(({ data }) => data.ok === true || data.status !== null).length;
    const unknown = countOf(events, 'WebhookTryStarted') - known;
    const delivered = ends.filter(({ data }) => data.ok === true).length;
    // Each arrival had its own attempt, so unseen ones are limited by the number of erased events.
    if (here > queued + unknown + unseen)
      faults.push(
        `delivery ${deliveryId} arrived ${here} times, queued ${queued} times, with ${unknown} tries of unknown outcome`,
      );
    if (here < delivered)
      faults.push(`delivery ${deliveryId} is marked as delivered ${delivered} times, and arrived ${here} times`);
    // It may have been requested again between two attempts.
    if (unseen > 0) continue;
    for (const [from, to] of openings(events))
      faults.push(
        ...repeats(`delivery ${deliveryId}`, events.slice(from, to), 'WebhookTryStarted', (a, b) =>
          wasBrokenOff(broken, a, b),
        ),
      );
  }
  for (const deliveryId of arrived.keys())
    if (!byDelivery.has(deliveryId)) faults.push(`delivery ${deliveryId} arrived, and the log does not know it`);
  return faults;
}

/** The number of events of one stream that were erased unseen: gaps in its revisions, which start at 0. */
const unseenIn = (events: readonly WorkEvent[]): number => (events.at(-1)?.revision ?? -1) + 1 - events.length;

/** Slices from each opening to the next. */
function openings(events: readonly WorkEvent[]): readonly (readonly [number, number])[] {
  const starts = events.flatMap(({ type }, index) =>
    type === 'WebhookQueued' || type === 'WebhookRequeued' ? [index] : [],
  );
  return starts.map((start, index) => [start, starts[index + 1] ?? events.length] as const);
}

function innocentsOf(log: readonly WorkEvent[]): readonly Innocent[] {
  const released = new Set(log.flatMap(({ type, data }) => (type === 'AnalysisReleased' ? [String(data.jobId)] : [])));
  return log.flatMap(({ type, data }): Innocent[] => {
    if (type === 'JobFailed' && data.code === 'INTERNAL')
      return [{ what: 'audit', id: String(data.jobId), givenBack: released.has(String(data.jobId)) }];
    if (type === 'MailDropped' && data.reason === 'given_up')
      return [{ what: 'mail', id: String(data.mailId), givenBack: null }];
    const gaveUp =
      type === 'WebhookTried' && data.ok === false && data.nextTryAt === null && data.error === 'It could not be sent.';
    return gaveUp ? [{ what: 'delivery', id: String(data.deliveryId), givenBack: null }] : [];
  });
}

function logFaults(log: readonly WorkEvent[]): readonly string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  let last = '';
  for (const { id, position, type, stream } of log) {
    if (position <= last) faults.push(`${type} of ${stream} stands at ${position} behind ${last}`);
    if (ids.has(id)) faults.push(`${type} of ${stream} has an id that another event has: ${id}`);
    ids.add(id);
    last = position;
  }
  return faults;
}

function figuresOf({ record: log, mails, deliveries }: WorkFacts): WorkFigures {
  const queued = countBy(
    log.filter(({ type }) => type === 'WebhookQueued' || type === 'WebhookRequeued'),
    ({ data }) => String(data.deliveryId),
  );
  /** More often than requested. */
  const again = (arrivals: readonly Arrival[], asked: (id: string) => number): number =>
    [...arrivalsById(arrivals)].reduce((sum, [id, here]) => sum + Math.max(0, here.length - asked(id)), 0);
  const begun = log.filter(({ type }) => type === 'JobStarted');
  const over = log.filter(({ type, data }) => type === 'WebhookTried' && data.nextTryAt === null);
  const delivered = over.filter(({ data }) => data.ok === true).length;
  return {
    events: log.length,
    jobs: countOf(log, 'AnalysisReserved'),
    ends: countBy(
      log.filter(({ type }) => JOB_ENDS.has(type)),
      ({ type }) => type,
    ),
    audits: { begun: begun.length, begunAgain: begun.length - new Set(begun.map(({ data }) => data.jobId)).size },
    mails: {
      sent: countOf(log, 'MailSent'),
      dropped: countBy(
        log.filter(({ type }) => type === 'MailDropped'),
        ({ data }) => String(data.reason),
      ),
      arrived: mails.length,
      arrivedAgain: again(mails, () => 1),
    },
    deliveries: {
      delivered,
      failed: over.length - delivered,
      arrived: deliveries.length,
      arrivedAgain: again(deliveries, (id) => queued[id] ?? 1),
    },
    setAside: countOf(log, 'FollowUpSetAside'),
    innocents: innocentsOf(log),
  };
}

export function checkWork(facts: WorkFacts): WorkVerdict {
  const { view, record, replies, broken, places } = facts;
  const figures = figuresOf(facts);
  const faults = [
    ...logFaults(view.log),
    ...[...foldPending(view.log).keys()].map((key) => `${key} is pending and was never done`),
    ...listDifferences(view),
    ...jobFaults(record, replies, broken),
    ...mailFaults(facts),
    ...deliveryFaults(facts),
    ...figures.innocents
      .filter(({ givenBack }) => givenBack === false)
      .map(({ id }) => `job ${id} was given up, and its analysis was not given back`),
    ...places.longest
      .filter(({ ms }) => ms > IDLE_MS)
      .map(
        ({ ms, kind, lane, from }) =>
          `something due (${kind} of ${lane}) stood ${ms} ms beside a free place, from ${new Date(from).toISOString()}`,
      ),
  ];
  return { faults, figures };
}
