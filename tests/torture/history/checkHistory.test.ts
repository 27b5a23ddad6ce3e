/** The checker on hand-made histories: a correct one passes, and each fault in one is reported. */
import { describe, expect, it } from 'vitest';
import { checkHistory } from './checkHistory.ts';
import type { History, JobSeen, LogEvent, Operation } from './history.ts';
import type { Rule } from './wishes.ts';

type Asked = {
  readonly account?: string;
  readonly client?: number;
  readonly from?: number;
  readonly to?: number;
  readonly outcome?: Operation['outcome'];
  readonly status?: number;
  readonly code?: string;
};

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';
const USER: Readonly<Record<string, string>> = { [ANN]: 'user-ann', [BOB]: 'user-bob' };
const at = (number: number): string => new Date(Date.UTC(2026, 10, 21, 9) + number * 1000).toISOString();
const place = (number: number): string => String(number).padStart(20, '0');

/** A history recorded step by step; each request takes 10 ms, 100 ms after the last. */
function story() {
  const operations: Operation[] = [];
  const log: LogEvent[] = [];
  const deletedStreams: string[] = [];
  let clock = 0;
  let restFrom = Number.POSITIVE_INFINITY;
  const told = {
    ask(kind: Operation['kind'], given: object, how: Asked = {}) {
      clock += 100;
      const {
        account = ANN,
        client = 0,
        from = clock,
        to = from + 10,
        outcome = 'ok',
        status = null,
        code = null,
      } = how;
      clock = Math.max(clock, to);
      operations.push({
        kind,
        ...given,
        id: operations.length,
        client,
        account,
        from,
        to,
        outcome,
        status,
        code,
      } as unknown as Operation);
      return told;
    },
    write(stream: string, type: string, fields: Partial<LogEvent> = {}) {
      const revision = log.filter((event) => event.stream === stream).length;
      log.push({
        id: `event-${log.length}`,
        stream,
        revision,
        position: place(log.length + 1),
        type,
        jobId: null,
        userId: null,
        number: null,
        ...fields,
      });
      return told;
    },
    enter(account = ANN) {
      return told.ask('signUp', { userId: USER[account] ?? null }, { account });
    },
    /** The events of a submission. */
    submitted(number: number, account = ANN) {
      const jobId = `job-${number}`;
      const userId = USER[account] ?? null;
      return told
        .write(`billing-${userId}`, 'AnalysisReserved', { jobId, userId })
        .write(jobId, 'JobSubmitted', { jobId, userId, number })
        .write(jobId, 'JobQueued', { jobId });
    },
    submit(
      number: number,
      how: Asked & { readonly key?: string; readonly replayed?: boolean; readonly id?: string } = {},
    ) {
      const { key = `key-${number}`, replayed = false, id = `job-${number}`, ...rest } = how;
      const jobs = (how.outcome ?? 'ok') === 'ok' ? [{ number, id }] : [];
      return told.ask('submit', { key, numbers: [number], jobs, replayed }, rest);
    },
    ended(number: number, type = 'JobCompleted', account = ANN) {
      const jobId = `job-${number}`;
      const settled = type === 'JobCompleted' ? 'AnalysisConsumed' : 'AnalysisReleased';
      return told
        .write(jobId, type, { jobId })
        .write(`billing-${USER[account]}`, settled, { jobId, userId: USER[account] ?? null });
    },
    list(active: readonly JobSeen[], ended: readonly JobSeen[], how: Asked = {}) {
      return told.ask('list', { active, ended }, how);
    },
    end(kind: 'cancel' | 'delete', number: number, how: Asked & { readonly key?: string } = {}) {
      const { key = `${kind}-${number}`, ...rest } = how;
      return told.ask(kind, { key, jobId: `job-${number}`, replayed: false }, rest);
    },
    deleted: (stream: string) => {
      deletedStreams.push(stream);
      return told;
    },
    /** The last reads of each account. */
    rest(
      seen: Readonly<
        Record<
          string,
          { readonly used: number; readonly ended: readonly JobSeen[]; readonly active?: readonly JobSeen[] }
        >
      >,
    ) {
      restFrom = operations.length;
      for (const [account, { used, ended, active = [] }] of Object.entries(seen))
        told.ask('usage', { used, limit: 15 }, { account }).list(active, ended, { account });
      return told;
    },
    history: (): History => ({ operations, log, deletedStreams, restFrom }),
  };
  return told;
}

function seen(number: number, status: string, place_: number, given: Partial<JobSeen> = {}): JobSeen {
  return {
    id: `job-${number}`,
    userId: 'user-ann',
    number,
    status,
    reasonCode: null,
    createdAt: at(number),
    position: place(place_),
    ...given,
  };
}
const cancelled = (number: number, place_: number): JobSeen =>
  seen(number, 'failed', place_, { reasonCode: 'CANCELLED' });

const judge = (given: ReturnType<typeof story>): readonly string[] =>
  checkHistory(given.history()).map((fault) => `${fault.rule}: ${fault.text}`);
const rules = (given: ReturnType<typeof story>): readonly Rule[] =>
  checkHistory(given.history()).map((fault) => fault.rule);

/** Two jobs: one completed and one canceled. */
const whole = () =>
  story()
    .enter()
    .submitted(1)
    .submit(1)
    .list([seen(1, 'queued', 3)], [])
    .submitted(2)
    .submit(2)
    .list([seen(2, 'queued', 6), seen(1, 'queued', 3)], [])
    .ended(1)
    .ended(2, 'JobCancelled')
    .end('cancel', 2)
    .list([], [cancelled(2, 9), seen(1, 'completed', 7)]);
const wholeRest = { [ANN]: { used: 1, ended: [cancelled(2, 9), seen(1, 'completed', 7)] } };

describe('a correct history', () => {
  it('passes', () => {
    expect(judge(whole().rest(wholeRest))).toEqual([]);
  });

  it('passes with a refused submission', () => {
    expect(
      judge(whole().submit(3, { outcome: 'fail', status: 402, code: 'INSUFFICIENT_CREDITS' }).rest(wholeRest)),
    ).toEqual([]);
  });

  it('passes whether or not an unanswered request was carried out', () => {
    expect(judge(whole().submit(3, { outcome: 'unknown' }).rest(wholeRest))).toEqual([]);
    const done = whole().submit(3, { outcome: 'unknown' }).submitted(3).ended(3);
    expect(
      judge(
        done.rest({ [ANN]: { used: 2, ended: [seen(3, 'completed', 14), cancelled(2, 9), seen(1, 'completed', 7)] } }),
      ),
    ).toEqual([]);
  });

  it('passes when a submission was interrupted after its reservation', () => {
    const half = whole()
      .submit(3, { outcome: 'unknown' })
      .write('billing-user-ann', 'AnalysisReserved', { jobId: 'job-3', userId: 'user-ann' });
    expect(judge(half.rest({ [ANN]: { ...wholeRest[ANN], used: 2 } } as typeof wholeRest))).toEqual([]);
  });

  it('passes when a write with a late or replayed answer is not visible at once', () => {
    const late = story()
      .enter()
      .submitted(1)
      .submit(1, { from: 200, to: 2300 })
      .list([], [], { from: 2400, to: 2410 })
      .ended(1);
    expect(judge(late.rest({ [ANN]: { used: 1, ended: [seen(1, 'completed', 4)] } }))).toEqual([]);
    const kept = story()
      .enter()
      .submitted(1)
      .submit(1, { outcome: 'unknown' })
      .submit(1, { replayed: true })
      .list([], [])
      .ended(1);
    expect(judge(kept.rest({ [ANN]: { used: 1, ended: [seen(1, 'completed', 4)] } }))).toEqual([]);
  });

  it('passes when reads overlap and the older answer comes last', () => {
    const told = story()
      .enter()
      .submitted(1)
      .submit(1)
      .list([seen(1, 'executing_step1', 4)], [], { from: 500, to: 600 })
      .list([seen(1, 'queued', 3)], [], { from: 550, to: 650 })
      .write('job-1', 'JobStarted', { jobId: 'job-1' })
      .ended(1);
    expect(judge(told.rest({ [ANN]: { used: 1, ended: [seen(1, 'completed', 5)] } }))).toEqual([]);
  });

  it('passes when deleted jobs are gone, with the content of their streams', () => {
    const told = whole()
      .end('delete', 1)
      .write('job-1', 'JobDeleted', { jobId: 'job-1', userId: 'user-ann' })
      .write('report-job-1', 'ReportPartWritten', { revision: 4 });
    const gone = told.deleted('report-job-1').ask('read', { jobId: 'job-1', job: null });
    expect(judge(gone.rest({ [ANN]: { used: 1, ended: [cancelled(2, 9)] } }))).toEqual([]);
  });

  it('passes when the records of pages of an older audit were removed', () => {
    const told = whole().write('page-records-job-1', 'PageRecordsRemoved', { revision: 2 });
    expect(judge(told.rest(wholeRest))).toEqual([]);
  });

  it('passes when a job was deleted before its cancellation was answered', () => {
    const told = whole()
      .submitted(3)
      .submit(3)
      .ended(3, 'JobCancelled')
      .end('delete', 3)
      .write('job-3', 'JobDeleted', { jobId: 'job-3', userId: 'user-ann' });
    expect(judge(told.end('cancel', 3, { outcome: 'fail', status: 404 }).rest(wholeRest))).toEqual([]);
  });
});

type Case = readonly [fault: string, history: () => ReturnType<typeof story>, says: RegExp];

const WRONG: readonly Case[] = [
  [
    'an acknowledged submission that is not in the log',
    () => whole().submit(3),
    /^lost: number 3 was acknowledged to ann@example\.com as job job-3/,
  ],
  [
    'one that is in the log but not in the final list',
    () => whole().submitted(3).submit(3).ended(3),
    /^lost: job job-3 \(number 3\) is in the log and not in its owner's list/,
  ],
  [
    'two jobs for one number',
    () => whole().write('job-x', 'JobSubmitted', { jobId: 'job-x', userId: 'user-ann', number: 1 }),
    /^doubled: number 1 led to 2 jobs: job-1, job-x/,
  ],
  [
    'a job submitted twice',
    () => whole().write('job-1', 'JobSubmitted', { jobId: 'job-1', userId: 'user-ann', number: 1 }),
    /^doubled: job job-1 \(number 1\) was submitted 2 times/,
  ],
  [
    'a job that nobody requested',
    () => whole().submitted(9),
    /^doubled: job job-9 \(number 9\) is in the log, and nobody asked for it/,
  ],
  [
    'two answers to one request',
    () => whole().submit(1, { id: 'job-7' }),
    /^repeat: submit key-1 was answered ok job-1 \(1\), then ok job-7/,
  ],
  [
    'a refusal after an acknowledgment',
    () => whole().end('cancel', 2, { outcome: 'fail', status: 409, code: 'JOB_ALREADY_FINISHED' }),
    /^repeat: cancel cancel-2 was answered ok .* then 409/,
  ],
  [
    'an acknowledged job that is not found, however late the answer was',
    () => story().enter().submitted(1).submit(1, { from: 200, to: 2300 }).ask('read', { jobId: 'job-1', job: null }),
    /^own write missing: read 2 did not find job job-1 of ann@example\.com, which had been acknowledged/,
  ],
  [
    'a cancellation that is answered with the former state',
    () => whole().ask('cancel', { key: 'again', jobId: 'job-2', replayed: false, job: seen(2, 'queued', 6) }),
    /^cancelled: cancellation \d+ was answered with the former state queued/,
  ],
  [
    'a refused submission that is in the log',
    () => whole().submit(3, { outcome: 'fail', status: 402 }).submitted(3),
    /^refused but done: number 3 was refused/,
  ],
  [
    'a refused submission that a read shows',
    () =>
      whole()
        .submit(3, { outcome: 'fail', status: 402 })
        .list([seen(3, 'queued', 12)], []),
    /^refused but done: number 3 was refused .* read \d+ shows it/,
  ],
  [
    'a refused cancellation that was carried out',
    () => whole().submitted(3).submit(3).ended(3, 'JobCancelled').end('cancel', 3, { outcome: 'fail', status: 409 }),
    /^refused but done: job job-3 was cancelled although each request/,
  ],
  [
    'a job of another account',
    () =>
      whole()
        .enter(BOB)
        .list([], [seen(1, 'completed', 7)], { account: BOB }),
    /^of another account: read \d+ of bob@example\.com shows job job-1/,
  ],
  [
    'an acknowledged write that the next read does not show',
    () =>
      whole()
        .submitted(3)
        .submit(3)
        .list([], [cancelled(2, 9), seen(1, 'completed', 7)]),
    /^own write missing: job job-3 .* although its submission was acknowledged before/,
  ],
  [
    'a job that one read shows and the next does not',
    () => whole().list([], [cancelled(2, 9)]),
    /^vanished: job job-1 .* although read \d+ had shown it before/,
  ],
  [
    'a job that is not found after it was shown',
    () => whole().ask('read', { jobId: 'job-1', job: null }),
    /^vanished: job job-1/,
  ],
  [
    'a job that goes back',
    () => whole().list([seen(1, 'queued', 3)], [cancelled(2, 9)]),
    /^backward: read \d+ shows job job-1 as queued at 0+3, and read \d+ before it showed completed at 0+7/,
  ],
  [
    'a job that ends again differently',
    () => whole().list([], [cancelled(2, 9), seen(1, 'failed', 20)]),
    /^backward: .*what has ended stays so/,
  ],
  [
    'a list in the wrong order',
    () => whole().list([], [seen(1, 'completed', 7), cancelled(2, 9)]),
    /^order: list \d+ shows job job-1 .* before job job-2/,
  ],
  [
    'a job listed twice',
    () => whole().list([], [cancelled(2, 9), cancelled(2, 9), seen(1, 'completed', 7)]),
    /^doubled: list \d+ shows job job-2 twice/,
  ],
  [
    'a log order other than that of the acknowledgments',
    () => whole().submit(4).submit(3).submitted(3).submitted(4),
    /^order: number 4 was acknowledged before number 3 was asked, yet stands behind it/,
  ],
  [
    'a job created before one that was acknowledged earlier',
    () =>
      story()
        .enter()
        .submitted(1)
        .submit(1)
        .submitted(2)
        .submit(2)
        .list([seen(2, 'queued', 6), seen(1, 'queued', 3, { createdAt: at(9) })], []),
    /^order: number 1 was acknowledged before number 2 was asked, yet created after it/,
  ],
  [
    'a canceled job that continues',
    () =>
      whole()
        .submitted(3)
        .submit(3)
        .end('cancel', 3)
        .list([seen(3, 'queued', 13)], [cancelled(2, 9), seen(1, 'completed', 7)]),
    /^cancelled: read \d+ shows job job-3 as queued .* although its cancellation was acknowledged/,
  ],
  [
    'an acknowledged cancellation that is not in the log',
    () => whole().submitted(3).submit(3).end('cancel', 3).ended(3),
    /^cancelled: job job-3 was acknowledged as cancelled, but the log has no JobCancelled/,
  ],
  [
    'a deleted job that reappears',
    () =>
      whole()
        .end('delete', 1)
        .write('job-1', 'JobDeleted', { jobId: 'job-1' })
        .list([], [cancelled(2, 9), seen(1, 'completed', 7)]),
    /^deleted: read \d+ shows job job-1 .* although its deletion was acknowledged/,
  ],
  [
    'more used than requested',
    () => whole().ask('usage', { used: 3, limit: 15 }),
    /^usage: read \d+ says that ann@example\.com has used 3, but only 2 were asked for/,
  ],
  ['more used than the limit', () => whole().ask('usage', { used: 16, limit: 15 }), /^usage: .* has used 16 of 15/],
  [
    'less used than acknowledged',
    () => whole().submitted(3).submit(3).ended(3).ask('usage', { used: 1, limit: 15 }),
    /^usage: .* has used 1, but 2 had been acknowledged/,
  ],
  [
    'a reservation that ended twice',
    () => whole().write('billing-user-ann', 'AnalysisConsumed', { jobId: 'job-1', userId: 'user-ann' }),
    /^reservation: the reservation of job job-1 ended 2 times/,
  ],
  [
    'a reservation that never ended',
    () => whole().submitted(3).submit(3).write('job-3', 'JobCompleted', { jobId: 'job-3' }),
    /^reservation: the reservation of job job-3 ended never/,
  ],
  [
    'a failed job that was paid for',
    () =>
      whole()
        .submitted(3)
        .submit(3)
        .write('job-3', 'JobFailed', { jobId: 'job-3' })
        .write('billing-user-ann', 'AnalysisConsumed', { jobId: 'job-3', userId: 'user-ann' }),
    /^reservation: job job-3 ended with JobFailed, and its reservation with AnalysisConsumed/,
  ],
  [
    'an open reservation although all submissions were answered',
    () => whole().write('billing-user-ann', 'AnalysisReserved', { jobId: 'job-8', userId: 'user-ann' }),
    /^reservation: 1 reservations of ann@example\.com have no job, but only 0/,
  ],
  ['a job that never ends', () => whole().submitted(3).submit(3), /^no end: job job-3 \(number 3\) never ended/],
  [
    'work after the end',
    () => whole().write('job-1', 'JobProgressed', { jobId: 'job-1' }),
    /^order: job job-1 ended with JobCompleted, yet JobProgressed follows/,
  ],
  [
    'a job that is paid for before it has ended',
    () =>
      whole()
        .submitted(3)
        .submit(3)
        .write('billing-user-ann', 'AnalysisConsumed', { jobId: 'job-3', userId: 'user-ann' })
        .write('job-3', 'JobCompleted', { jobId: 'job-3' }),
    /^order: job job-3: AnalysisConsumed stands before JobCompleted/,
  ],
  [
    'a gap in a stream',
    () => whole().write('plan-1', 'PlanGenerated', { revision: 1 }),
    /^log: plan-1 has revision 1 where 0 should be/,
  ],
  [
    'a gap after the end of records that were removed',
    () =>
      whole()
        .write('page-records-1', 'PageRecordsRemoved', { revision: 2 })
        .write('page-records-1', 'PageRecordsRemoved', { revision: 4 }),
    /^log: page-records-1 has revision 4 where 3 should be/,
  ],
  [
    'two events with one id',
    () => whole().write('plan-1', 'PlanGenerated', { id: 'event-0' }),
    /^log: two events have the id event-0/,
  ],
  [
    'positions that do not increase',
    () => whole().write('plan-1', 'PlanGenerated', { position: place(2) }),
    /^log: the log's positions do not go up/,
  ],
  ['an address that is signed up twice', () => whole().enter(), /^account: ann@example\.com was signed up twice/],
  [
    'an address with two users',
    () => whole().ask('logIn', { userId: 'user-zoe' }),
    /^account: ann@example\.com is user user-ann, and in operation \d+ user user-zoe/,
  ],
  [
    'a lost account',
    () => whole().ask('logIn', { userId: null }, { outcome: 'fail', status: 401, code: 'INVALID_CREDENTIALS' }),
    /^account: .* could not log in/,
  ],
  [
    'a lost session',
    () => whole().ask('usage', { used: 0, limit: 0 }, { outcome: 'fail', status: 401, code: 'UNAUTHENTICATED' }),
    /^account: client 0 entered ann@example\.com in operation 0 and was not known/,
  ],
];

describe('a faulty history', () => {
  it.each(WRONG)('is reported: %s', (_, history, says) => {
    expect(judge(history().rest(wholeRest))).toContainEqual(expect.stringMatching(says));
  });

  it('reports each fault once, however often it shows', () => {
    const history = whole();
    for (let nth = 0; nth < 5; nth += 1) history.list([], [cancelled(2, 9)]);
    expect(rules(history.rest(wholeRest))).toEqual(['vanished']);
  });

  it('reports a job that is still in progress in the end', () => {
    const history = whole().submitted(3).submit(3);
    expect(
      judge(
        history.rest({
          [ANN]: { used: 2, active: [seen(3, 'queued', 13)], ended: [cancelled(2, 9), seen(1, 'completed', 7)] },
        }),
      ),
    ).toContainEqual(expect.stringMatching(/^no end: job job-3 \(number 3\) never ended/));
  });
});
