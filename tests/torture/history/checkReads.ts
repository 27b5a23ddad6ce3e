/**
 * Checks reads: they never show less than an earlier read or an acknowledged write, another user's data, or a refused
 * write.
 */

import type { LoggedJob } from './checkLog.ts';
import type { History, JobSeen, Operation } from './history.ts';
import type { Faults, Wish } from './wishes.ts';

const ENDED = new Set(['completed', 'failed', 'partial_success', 'partially_completed']);

export const isEnded = (job: JobSeen): boolean => ENDED.has(job.status);
export const isCancelled = (job: JobSeen): boolean => job.status === 'failed' && job.reasonCode === 'CANCELLED';

/** The newest known state of one job before a read begins, and the operation that showed it. */
type Known = {
  /** A read or an acknowledgment showed it. */
  shownBy: string | null;
  /** A read showed that it is gone, or its deletion was acknowledged. */
  goneBy: string | null;
  cancelledBy: string | null;
  newest: { readonly job: JobSeen; readonly by: number } | null;
};

/** A fact known from `at` on, and its source. */
type Lesson = {
  readonly at: number;
  readonly jobId: string;
  readonly tells: 'shown' | 'gone' | 'cancelled';
  readonly by: string;
};
/** The result of a read. */
type Sight = { readonly at: number; readonly job: JobSeen; readonly by: number };

type Read = Extract<Operation, { readonly kind: 'list' | 'read' }>;

const isRead = (operation: Operation): operation is Read =>
  operation.outcome === 'ok' && (operation.kind === 'list' || operation.kind === 'read');
const shown = (read: Read): readonly JobSeen[] =>
  read.kind === 'list' ? [...read.active, ...read.ended] : read.job ? [read.job] : [];

/** Facts of the whole history, against which each account's reads are checked. */
export type Context = {
  readonly wishes: readonly Wish[];
  readonly jobs: ReadonlyMap<string, LoggedJob>;
  readonly userOf: ReadonlyMap<string, string>;
  readonly restFrom: number;
};

/**
 * However long an answer took: what it acknowledged is never missing from then on (a read may say that it is not shown
 * yet), and the answer to a cancellation shows it canceled.
 */
export function checkAnswers({ operations }: History, wishes: readonly Wish[], faults: Faults): void {
  const acknowledged = new Map(
    wishes.flatMap(({ kind, jobs, acknowledgedAt }) =>
      kind === 'submit' && acknowledgedAt !== null ? jobs.map(({ id }) => [id, acknowledgedAt] as const) : [],
    ),
  );
  const deletions = deletionsOf(wishes);
  for (const operation of operations) {
    if (operation.kind === 'read' && operation.outcome === 'ok' && operation.job === null) {
      const { id, account, jobId, from, to } = operation;
      const at = acknowledged.get(jobId) ?? Number.POSITIVE_INFINITY;
      const isOwn = wishes.some((wish) => wish.account === account && wish.jobs.some((job) => job.id === jobId));
      if (isOwn && at < from && (deletions.get(jobId) ?? Number.POSITIVE_INFINITY) > to)
        faults.add(
          'own write missing',
          jobId,
          `read ${id} did not find job ${jobId} of ${account}, which had been acknowledged`,
        );
    }
    if (operation.kind === 'cancel' && operation.job && !isCancelled(operation.job))
      faults.add(
        'cancelled',
        operation.key,
        `cancellation ${operation.id} was answered with the former state ${operation.job.status}`,
      );
  }
}

export function checkReads(history: History, context: Context, faults: Faults): void {
  const reads = new Map<string, Read[]>();
  for (const operation of history.operations) {
    if (!isRead(operation)) continue;
    const others = reads.get(operation.account);
    if (others) others.push(operation);
    else reads.set(operation.account, [operation]);
  }
  for (const [account, own] of reads) checkAccount(account, own, context, faults);
}

function checkAccount(account: string, reads: readonly Read[], context: Context, faults: Faults): void {
  const wishes = context.wishes.filter((wish) => wish.account === account);
  const own = ownJobs(wishes, context, account);
  const deletions = deletionsOf(wishes);
  const known = new Map<string, Known>();
  const of = (jobId: string): Known => {
    const found = known.get(jobId) ?? { shownBy: null, goneBy: null, cancelledBy: null, newest: null };
    known.set(jobId, found);
    return found;
  };
  const promised = wishes.flatMap(lessonsOfWish).sort((a, b) => a.at - b.at);
  let next = 0;
  // Reads still in progress when the next one begins: few, since each client does one thing at a time.
  let lessons: Lesson[] = [];
  let sights: Sight[] = [];
  for (const read of [...reads].sort((a, b) => a.from - b.from)) {
    for (let lesson = promised[next]; lesson && lesson.at < read.from; lesson = promised[++next])
      learn(of(lesson.jobId), lesson);
    for (const lesson of lessons) if (lesson.at < read.from) learn(of(lesson.jobId), lesson);
    for (const sight of sights) if (sight.at < read.from) see(of(sight.job.id), sight);
    lessons = lessons.filter((lesson) => lesson.at >= read.from);
    sights = sights.filter((sight) => sight.at >= read.from);
    for (const jobId of missing(read, known)) {
      if ((deletions.get(jobId) ?? Number.POSITIVE_INFINITY) < read.to) {
        lessons.push({ at: read.to, jobId, tells: 'gone', by: `read ${read.id} did not show it any more` });
        continue;
      }
      const { newest, shownBy } = of(jobId);
      const text = `job ${jobId} of ${account} is missing in read ${read.id}, although ${shownBy} before, and nobody had asked to delete it`;
      faults.add(newest ? 'vanished' : 'own write missing', jobId, text);
    }
    for (const job of shown(read)) {
      if (!checkOwnership(read, job, account, own, context, faults)) continue;
      checkJob(read, job, of(job.id), faults);
      sights.push({ at: read.to, job, by: read.id });
    }
    if (read.kind === 'list') checkOrder(read, faults);
  }
}

function learn(known: Known, { tells, by }: Lesson): void {
  if (tells === 'shown') known.shownBy ??= by;
  else if (tells === 'gone') known.goneBy ??= by;
  else known.cancelledBy ??= by;
}

function see(known: Known, { job, by }: Sight): void {
  if (!known.newest) known.shownBy = `read ${by} had shown it`;
  if (!known.newest || job.position > known.newest.job.position) known.newest = { job, by };
}

type Own = { readonly outcomeOf: ReadonlyMap<number, Wish>; readonly ids: ReadonlyMap<number, string> };

function ownJobs(wishes: readonly Wish[], context: Context, account: string): Own {
  const outcomeOf = new Map(wishes.flatMap((wish) => wish.numbers.map((number) => [number, wish] as const)));
  const told = wishes.flatMap((wish) => wish.jobs.map((job) => [job.number, job.id] as const));
  const logged = [...context.jobs.values()]
    .filter((job) => job.userId === context.userOf.get(account))
    .map((job) => [job.number, job.id] as const);
  return {
    outcomeOf,
    ids: new Map([...logged, ...told].flatMap(([number, id]) => (number === null ? [] : [[number, id] as const]))),
  };
}

/** When each deletion was first requested, without those that were always refused. */
function deletionsOf(wishes: readonly Wish[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const wish of wishes) {
    if (wish.kind !== 'delete' || wish.jobId === null || wish.outcome === 'fail') continue;
    first.set(wish.jobId, Math.min(wish.from, first.get(wish.jobId) ?? Number.POSITIVE_INFINITY));
  }
  return first;
}

function lessonsOfWish(wish: Wish): readonly Lesson[] {
  const { visibleAt: at, jobId } = wish;
  if (at === null) return [];
  if (wish.kind === 'submit')
    return wish.jobs.map(({ id }) => ({ at, jobId: id, tells: 'shown', by: 'its submission was acknowledged' }));
  if (jobId === null) return [];
  if (wish.kind === 'cancel') return [{ at, jobId, tells: 'cancelled', by: 'its cancellation was acknowledged' }];
  return [{ at, jobId, tells: 'gone', by: 'its deletion was acknowledged' }];
}

/** Known jobs that the read should have shown and did not. */
function missing(read: Read, known: ReadonlyMap<string, Known>): readonly string[] {
  if (read.kind === 'read') {
    const state = known.get(read.jobId);
    return !read.job && state?.shownBy && !state.goneBy ? [read.jobId] : [];
  }
  const there = new Set(shown(read).map((job) => job.id));
  return [...known]
    .filter(([jobId, state]) => state.shownBy && !state.goneBy && !there.has(jobId))
    .map(([jobId]) => jobId);
}

/** False when the job does not belong to this account. */
function checkOwnership(
  read: Read,
  job: JobSeen,
  account: string,
  own: Own,
  context: Context,
  faults: Faults,
): boolean {
  const userId = context.userOf.get(account);
  const wish = job.number === null ? undefined : own.outcomeOf.get(job.number);
  if (!wish || (userId !== undefined && job.userId !== userId)) {
    faults.add(
      'of another account',
      job.id,
      `read ${read.id} of ${account} shows job ${job.id} (number ${job.number}), which is not its own`,
    );
    return false;
  }
  if (wish.outcome === 'fail')
    faults.add(
      'refused but done',
      wish.key,
      `number ${job.number} was refused to ${account}, yet read ${read.id} shows it`,
    );
  const id = own.ids.get(job.number ?? -1);
  if (id !== undefined && id !== job.id)
    faults.add('doubled', wish.key, `number ${job.number} is job ${id}, and in read ${read.id} job ${job.id}`);
  return true;
}

function checkJob(read: Read, job: JobSeen, known: Known, faults: Faults): void {
  const now = `read ${read.id} shows job ${job.id} as ${job.status} at ${job.position}`;
  if (known.goneBy) faults.add('deleted', job.id, `${now}, although ${known.goneBy} before`);
  if (known.cancelledBy && !isCancelled(job))
    faults.add('cancelled', job.id, `${now}, although ${known.cancelledBy} before`);
  if (!known.newest) return;
  const { job: before, by } = known.newest;
  const then = `read ${by} before it showed ${before.status} at ${before.position}`;
  if (job.position < before.position) faults.add('backward', job.id, `${now}, and ${then}`);
  else if (isEnded(before) && (job.status !== before.status || job.reasonCode !== before.reasonCode))
    faults.add('backward', job.id, `${now}, and ${then}: what has ended stays so`);
  else if (job.position === before.position && job.status !== before.status)
    faults.add('backward', job.id, `${now}, and ${then}: one position, two states`);
  if (job.createdAt !== before.createdAt)
    faults.add(
      'backward',
      job.id,
      `read ${read.id} shows job ${job.id} created at ${job.createdAt}, read ${by} at ${before.createdAt}`,
    );
}

/** No job twice, newest first. */
function checkOrder(read: Extract<Read, { readonly kind: 'list' }>, faults: Faults): void {
  const ids = shown(read).map((job) => job.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) faults.add('doubled', twice, `list ${read.id} shows job ${twice} twice`);
  for (const list of [read.active, read.ended]) {
    list.forEach((job, index) => {
      const before = list[index - 1];
      if (before && before.createdAt < job.createdAt)
        faults.add(
          'order',
          job.id,
          `list ${read.id} shows job ${before.id} of ${before.createdAt} before job ${job.id} of ${job.createdAt}`,
        );
    });
  }
}

/** A job acknowledged before another was requested is not created after it. */
export function checkCreation(history: History, wishes: readonly Wish[], faults: Faults): void {
  const createdAt = new Map<string, string>();
  for (const operation of history.operations)
    if (isRead(operation))
      for (const job of shown(operation)) if (!createdAt.has(job.id)) createdAt.set(job.id, job.createdAt);
  const submitted = wishes.flatMap((wish) =>
    wish.jobs.flatMap(({ id, number }) => {
      const at = createdAt.get(id);
      return at !== undefined && wish.acknowledgedAt !== null
        ? [{ id, number, at, from: wish.from, to: wish.acknowledgedAt }]
        : [];
    }),
  );
  const ends = [...submitted].sort((a, b) => a.to - b.to);
  let newest: (typeof submitted)[number] | null = null;
  let next = 0;
  for (const later of [...submitted].sort((a, b) => a.from - b.from)) {
    for (let end = ends[next]; end && end.to < later.from; end = ends[++next])
      if (!newest || end.at > newest.at) newest = end;
    if (newest && newest.at > later.at)
      faults.add(
        'order',
        later.id,
        `number ${newest.number} was acknowledged before number ${later.number} was asked, yet created after it`,
      );
  }
}

/** In the end each account's list matches the log: every job that was not deleted, once, ended. */
export function checkRest(history: History, context: Context, faults: Faults): void {
  for (const [account, userId] of context.userOf) {
    const lists = history.operations.filter(
      (operation) => operation.id >= history.restFrom && operation.account === account && operation.kind === 'list',
    );
    const last = lists.filter((operation) => operation.outcome === 'ok').at(-1) as
      | Extract<Read, { readonly kind: 'list' }>
      | undefined;
    if (!last) {
      faults.add('account', account, `${account} could not list its jobs at rest`);
      continue;
    }
    const there = new Map(shown(last).map((job) => [job.id, job]));
    for (const job of last.active)
      faults.add('no end', job.id, `job ${job.id} (number ${job.number}) is ${job.status} still, at rest`);
    for (const job of context.jobs.values()) {
      if (job.userId !== userId || !job.events.some((event) => event.type === 'JobSubmitted')) continue;
      const deleted = job.events.some((event) => event.type === 'JobDeleted');
      if (!deleted && !there.has(job.id))
        faults.add(
          'lost',
          job.id,
          `job ${job.id} (number ${job.number}) is in the log and not in its owner's list at rest`,
        );
      if (deleted && there.has(job.id))
        faults.add(
          'deleted',
          job.id,
          `job ${job.id} (number ${job.number}) was deleted and is in its owner's list at rest`,
        );
      const seen = there.get(job.id);
      const cancelled = job.events.some((event) => event.type === 'JobCancelled');
      if (seen && cancelled !== isCancelled(seen))
        faults.add(
          'cancelled',
          `rest ${job.id}`,
          `job ${job.id} is ${seen.status} (${seen.reasonCode}) in the list at rest, which is not what the log says`,
        );
    }
  }
}
