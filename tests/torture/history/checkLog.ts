/** Checks the final log, by itself and against acknowledged, refused and unanswered requests. */
import type { History, LogEvent } from './history.ts';
import type { Faults, Wish } from './wishes.ts';

const FINAL = new Set(['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'JobCancelled', 'JobFailed']);
const SUCCEEDED = new Set(['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded']);
const SETTLED = new Set(['AnalysisConsumed', 'AnalysisReleased']);

export type LoggedJob = {
  readonly id: string;
  readonly userId: string | null;
  readonly number: number | null;
  readonly events: readonly LogEvent[];
};

/** Every job in the log, with its events in log order. */
export function jobsOf(log: readonly LogEvent[]): ReadonlyMap<string, LoggedJob> {
  const byJob = new Map<string, LogEvent[]>();
  for (const event of log) {
    if (event.jobId === null) continue;
    const events = byJob.get(event.jobId);
    if (events) events.push(event);
    else byJob.set(event.jobId, [event]);
  }
  const find = <T>(events: readonly LogEvent[], value: (event: LogEvent) => T | null): T | null =>
    events.map(value).find((found) => found !== null) ?? null;
  return new Map(
    [...byJob].map(([id, events]) => [
      id,
      { id, events, userId: find(events, (event) => event.userId), number: find(events, (event) => event.number) },
    ]),
  );
}

/** Everything before these is erased from their stream. */
const STANDS_ALONE: ReadonlySet<string> = new Set(['PageRecordsRemoved']);

/** Positions increase, ids are unique, and each stream is numbered without gaps. */
export function checkWellFormed(
  { log, deletedStreams }: Pick<History, 'log' | 'deletedStreams'>,
  faults: Faults,
): void {
  const ids = new Map<string, string>();
  const revisions = new Map<string, number>();
  const deleted = new Set(deletedStreams);
  let last = '';
  for (const event of log) {
    const name = `${event.type} at revision ${event.revision} of ${event.stream}`;
    if (event.position <= last)
      faults.add(
        'log',
        event.position,
        `the log's positions do not go up: ${name} has ${event.position} after ${last}`,
      );
    last = event.position;
    const twin = ids.get(event.id);
    if (twin !== undefined) faults.add('log', event.id, `two events have the id ${event.id}: ${twin}, and ${name}`);
    ids.set(event.id, name);
    const before = revisions.get(event.stream);
    const expected = before === undefined ? 0 : before + 1;
    const isGap = event.revision !== expected;
    const isCut = before === undefined && STANDS_ALONE.has(event.type);
    if (isGap && !isCut && !(deleted.has(event.stream) && (before === undefined || event.revision > before)))
      faults.add('log', event.stream, `${event.stream} has revision ${event.revision} where ${expected} should be`);
    revisions.set(event.stream, event.revision);
  }
}

/** Each job in the log was submitted, paid for, ended and settled once, in this order. */
export function checkJobs(jobs: ReadonlyMap<string, LoggedJob>, faults: Faults): void {
  for (const job of jobs.values()) {
    const of = (type: string): readonly LogEvent[] => job.events.filter((event) => event.type === type);
    const submitted = of('JobSubmitted');
    const reserved = of('AnalysisReserved');
    const settled = job.events.filter((event) => SETTLED.has(event.type));
    const finals = job.events.filter((event) => FINAL.has(event.type));
    if (submitted.length > 1)
      faults.add(
        'doubled',
        job.id,
        `job ${job.id} (number ${job.number}) was submitted ${submitted.length} times in the log`,
      );
    if (submitted.length === 0) {
      if (of('AnalysisConsumed').length > 0)
        faults.add('reservation', job.id, `job ${job.id} was never submitted, yet paid for`);
      continue;
    }
    if (reserved.length !== 1) faults.add('reservation', job.id, `job ${job.id} has ${reserved.length} reservations`);
    if (finals.length === 0) faults.add('no end', job.id, `job ${job.id} (number ${job.number}) never ended`);
    if (finals.length > 1)
      faults.add(
        'doubled',
        job.id,
        `job ${job.id} ended ${finals.length} times: ${finals.map((event) => event.type).join(', ')}`,
      );
    if (settled.length !== 1 && finals.length > 0)
      faults.add(
        'reservation',
        job.id,
        `the reservation of job ${job.id} ended ${settled.length === 0 ? 'never' : `${settled.length} times`}`,
      );
    const [end] = finals;
    // A canceled job counts or is released, depending on its progress and on how many were canceled.
    if (
      end &&
      end.type !== 'JobCancelled' &&
      settled.length === 1 &&
      SUCCEEDED.has(end.type) !== (settled[0]?.type === 'AnalysisConsumed')
    )
      faults.add(
        'reservation',
        job.id,
        `job ${job.id} ended with ${end.type}, and its reservation with ${settled[0]?.type}`,
      );
    if (of('JobDeleted').length > 1)
      faults.add('doubled', job.id, `job ${job.id} was deleted ${of('JobDeleted').length} times`);
    checkSequence(job.id, [reserved[0], submitted[0], end, of('JobDeleted')[0]], faults);
    checkSequence(job.id, [end, settled[0]], faults);
    const work = job.events.filter((event) => event.stream === submitted[0]?.stream);
    if (work[0]?.type !== 'JobSubmitted')
      faults.add('order', job.id, `job ${job.id} begins with ${work[0]?.type} instead of JobSubmitted`);
    const late = end && work.find((event) => event.revision > end.revision && event.type !== 'JobDeleted');
    if (end && late) faults.add('order', job.id, `job ${job.id} ended with ${end.type}, yet ${late.type} follows`);
  }
}

function checkSequence(jobId: string, events: readonly (LogEvent | undefined)[], faults: Faults): void {
  const known = events.filter((event) => event !== undefined);
  known.forEach((event, index) => {
    const before = known[index - 1];
    if (before && event.position < before.position)
      faults.add('order', jobId, `job ${jobId}: ${event.type} stands before ${before.type} in the log`);
  });
}

/** Acknowledged jobs exist once, refused ones do not, unanswered ones at most once; and there are no others. */
export function checkSubmissions(wishes: readonly Wish[], jobs: ReadonlyMap<string, LoggedJob>, faults: Faults): void {
  const wishOf = new Map<number, Wish>();
  const jobsOfNumber = new Map<number, string[]>();
  for (const wish of wishes) for (const number of wish.numbers) wishOf.set(number, wish);
  for (const job of jobs.values()) {
    if (!job.events.some((event) => event.type === 'JobSubmitted')) continue;
    const wish = job.number === null ? undefined : wishOf.get(job.number);
    if (job.number === null || !wish) {
      faults.add('doubled', job.id, `job ${job.id} (number ${job.number}) is in the log, and nobody asked for it`);
      continue;
    }
    jobsOfNumber.set(job.number, [...(jobsOfNumber.get(job.number) ?? []), job.id]);
    if (wish.outcome === 'fail')
      faults.add(
        'refused but done',
        wish.key,
        `number ${job.number} was refused to ${wish.account}, yet the log has job ${job.id} for it`,
      );
  }
  const given = new Map<string, string>();
  for (const wish of wishes) {
    for (const number of wish.numbers) {
      const there = jobsOfNumber.get(number) ?? [];
      if (there.length > 1)
        faults.add('doubled', wish.key, `number ${number} led to ${there.length} jobs: ${there.join(', ')}`);
      const told = wish.jobs.find((job) => job.number === number);
      if (wish.outcome !== 'ok') continue;
      if (!told) faults.add('lost', wish.key, `number ${number} was acknowledged to ${wish.account} without a job`);
      else if (!there.includes(told.id))
        faults.add(
          'lost',
          wish.key,
          `number ${number} was acknowledged to ${wish.account} as job ${told.id}, which is not in the log`,
        );
    }
    for (const { id } of wish.jobs) {
      const other = given.get(id);
      if (other !== undefined && other !== wish.key) faults.add('doubled', id, `job ${id} was given to two requests`);
      given.set(id, wish.key);
    }
  }
}

/** A request that ended before the next began comes before it in the log. */
export function checkRealTime(wishes: readonly Wish[], jobs: ReadonlyMap<string, LoggedJob>, faults: Faults): void {
  const submitted = wishes.flatMap((wish) =>
    wish.jobs.flatMap(({ id, number }) => {
      const event = jobs.get(id)?.events.find((candidate) => candidate.type === 'JobSubmitted');
      return event && wish.acknowledgedAt !== null
        ? [{ id, number, from: wish.from, to: wish.acknowledgedAt, position: event.position }]
        : [];
    }),
  );
  const starts = [...submitted].sort((a, b) => a.from - b.from);
  const ends = [...submitted].sort((a, b) => a.to - b.to);
  let newest: (typeof submitted)[number] | null = null;
  let next = 0;
  for (const later of starts) {
    for (let end = ends[next]; end && end.to < later.from; end = ends[++next])
      if (!newest || end.position > newest.position) newest = end;
    if (newest && newest.position > later.position)
      faults.add(
        'order',
        later.id,
        `number ${newest.number} was acknowledged before number ${later.number} was asked, yet stands behind it in the log`,
      );
  }
}

/**
 * An acknowledged cancellation or deletion is in the log; one that nobody requested, or that was always refused, is
 * not.
 */
export function checkEnds(wishes: readonly Wish[], jobs: ReadonlyMap<string, LoggedJob>, faults: Faults): void {
  const asked = { cancel: new Map<string, Wish[]>(), delete: new Map<string, Wish[]>() };
  for (const wish of wishes) {
    if (wish.kind === 'submit' || wish.jobId === null) continue;
    const others = asked[wish.kind].get(wish.jobId);
    if (others) others.push(wish);
    else asked[wish.kind].set(wish.jobId, [wish]);
  }
  for (const [kind, type, rule] of [
    ['cancel', 'JobCancelled', 'cancelled'],
    ['delete', 'JobDeleted', 'deleted'],
  ] as const) {
    for (const [jobId, all] of asked[kind]) {
      const done = jobs.get(jobId)?.events.some((event) => event.type === type) ?? false;
      if (!done && all.some((wish) => wish.outcome === 'ok'))
        faults.add(rule, `log ${jobId}`, `job ${jobId} was acknowledged as ${rule}, but the log has no ${type}`);
    }
    for (const job of jobs.values()) {
      if (!job.events.some((event) => event.type === type)) continue;
      const all = asked[kind].get(job.id) ?? [];
      // Canceled, and deleted by somebody else before its state was read for the answer.
      const mayBeGone = kind === 'cancel' && job.events.some((event) => event.type === 'JobDeleted');
      if (
        all.every((wish) => wish.outcome === 'fail' && !(mayBeGone && wish.statuses.every((status) => status === 404)))
      )
        faults.add(
          'refused but done',
          job.id,
          `job ${job.id} was ${rule} although ${all.length === 0 ? 'nobody asked for it' : `each request for it was refused (${all.flatMap(({ statuses }) => statuses).join(', ')})`}`,
        );
    }
  }
}
