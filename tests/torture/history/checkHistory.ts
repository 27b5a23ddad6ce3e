/**
 * Checks a history; a pure function. Acknowledged writes exist once, refused ones do not, unanswered ones exist at most
 * once; reads never go back, nor show another user's data; real-time order holds; each reservation ends once; the log
 * is intact.
 */
import {
  checkEnds,
  checkJobs,
  checkRealTime,
  checkSubmissions,
  checkWellFormed,
  jobsOf,
  type LoggedJob,
} from './checkLog.ts';
import { type Context, checkAnswers, checkCreation, checkReads, checkRest } from './checkReads.ts';
import type { History, Operation } from './history.ts';
import { checkRepeats, collectFaults, type Fault, type Faults, PROMPT_MS, type Wish, wishesOf } from './wishes.ts';

/** Shorter than a session, ms. */
const SESSION_MS = 50 * 60 * 1000;

export function checkHistory(history: History): readonly Fault[] {
  const faults = collectFaults();
  const wishes = wishesOf(history);
  const jobs = jobsOf(history.log);
  const context: Context = { wishes, jobs, userOf: checkAccounts(history, faults), restFrom: history.restFrom };
  checkRepeats(history, faults);
  checkWellFormed(history, faults);
  checkSubmissions(wishes, jobs, faults);
  checkJobs(jobs, faults);
  checkEnds(wishes, jobs, faults);
  checkRealTime(wishes, jobs, faults);
  checkCreation(history, wishes, faults);
  checkAnswers(history, wishes, faults);
  checkReads(history, context, faults);
  checkRest(history, context, faults);
  checkUsage(history, context, faults);
  return faults.list();
}

/** An email address is one account, signed up once, that can log in from then on. Returns the accounts by address. */
function checkAccounts(history: History, faults: Faults): ReadonlyMap<string, string> {
  const users = new Map<string, string>();
  const signedUp = new Map<string, Operation>();
  for (const operation of history.operations) {
    if (operation.kind !== 'signUp' && operation.kind !== 'logIn') continue;
    const { account, userId, outcome } = operation;
    if (outcome !== 'ok' || userId === null) continue;
    const before = users.get(account);
    if (before !== undefined && before !== userId)
      faults.add('account', account, `${account} is user ${before}, and in operation ${operation.id} user ${userId}`);
    users.set(account, before ?? userId);
    if (operation.kind !== 'signUp') continue;
    const first = signedUp.get(account);
    if (first)
      faults.add('account', account, `${account} was signed up twice: operations ${first.id} and ${operation.id}`);
    signedUp.set(account, first ?? operation);
  }
  for (const operation of history.operations) {
    const first = signedUp.get(operation.account);
    const refused =
      operation.kind === 'logIn' && operation.outcome === 'fail' && operation.code === 'INVALID_CREDENTIALS';
    if (refused && first && first.to < operation.from)
      faults.add(
        'account',
        operation.account,
        `${operation.account} was signed up in operation ${first.id} and could not log in in operation ${operation.id}`,
      );
  }
  checkSessions(history, faults);
  return users;
}

/** A session from a prompt answer exists for the next request of its client. */
function checkSessions(history: History, faults: Faults): void {
  const opened = new Map<string, Operation>();
  for (const operation of [...history.operations].sort((a, b) => a.from - b.from)) {
    const session = `${operation.client} ${operation.account}`;
    if (operation.kind === 'signUp' || operation.kind === 'logIn') {
      if (operation.outcome === 'ok') opened.set(session, operation);
      continue;
    }
    const by = opened.get(session);
    if (operation.status !== 401 || !by || by.to - by.from >= PROMPT_MS || operation.from - by.to > SESSION_MS)
      continue;
    faults.add(
      'account',
      session,
      `client ${operation.client} entered ${operation.account} in operation ${by.id} and was not known in operation ${operation.id}`,
    );
  }
}

/** The usage of an account is between its certain minimum and its possible maximum; in the end it matches the log. */
function checkUsage(history: History, context: Context, faults: Faults): void {
  const wishesBy = new Map<string, Wish[]>();
  for (const wish of context.wishes) {
    if (wish.kind !== 'submit') continue;
    const others = wishesBy.get(wish.account);
    if (others) others.push(wish);
    else wishesBy.set(wish.account, [wish]);
  }
  const released = (id: string): boolean =>
    context.jobs.get(id)?.events.some((event) => event.type === 'AnalysisReleased') ?? false;
  for (const operation of history.operations) {
    if (operation.kind !== 'usage' || operation.outcome !== 'ok') continue;
    const { account, used, limit, from, to } = operation;
    const wishes = wishesBy.get(account) ?? [];
    const most = wishes
      .filter((wish) => wish.from < to && wish.outcome !== 'fail')
      .reduce((sum, wish) => sum + wish.numbers.length, 0);
    const acknowledged = wishes.filter((wish) => wish.visibleAt !== null && wish.visibleAt < from);
    const least = acknowledged.flatMap((wish) => wish.jobs).filter((job) => !released(job.id)).length;
    const told = `read ${operation.id} says that ${account} has used ${used}`;
    if (used > limit) faults.add('usage', account, `${told} of ${limit}`);
    if (used > most) faults.add('usage', account, `${told}, but only ${most} were asked for until then`);
    if (used < least)
      faults.add('usage', account, `${told}, but ${least} had been acknowledged and were never given back`);
  }
  for (const [account, userId] of context.userOf)
    checkUsageAtRest(history, account, userId, wishesBy.get(account) ?? [], context.jobs, faults);
}

function checkUsageAtRest(
  history: History,
  account: string,
  userId: string,
  wishes: readonly Wish[],
  jobs: ReadonlyMap<string, LoggedJob>,
  faults: Faults,
): void {
  const own = [...jobs.values()].filter((job) => job.userId === userId);
  const has = (job: LoggedJob, type: string): boolean => job.events.some((event) => event.type === type);
  const open = own.filter(
    (job) => has(job, 'AnalysisReserved') && !has(job, 'AnalysisConsumed') && !has(job, 'AnalysisReleased'),
  );
  const consumed = own.filter((job) => has(job, 'AnalysisConsumed') && !has(job, 'AnalysisReleased')).length;
  // A submission that was not retried may have been interrupted after its reservation, which is released later.
  const halfDone = open.filter((job) => !has(job, 'JobSubmitted')).length;
  const unanswered = wishes
    .filter((wish) => wish.outcome === 'unknown')
    .reduce((sum, wish) => sum + wish.numbers.length, 0);
  if (halfDone > unanswered)
    faults.add(
      'reservation',
      account,
      `${halfDone} reservations of ${account} have no job, but only ${unanswered} submissions were left unanswered`,
    );
  const last = history.operations
    .filter(
      (operation) => operation.id >= history.restFrom && operation.account === account && operation.kind === 'usage',
    )
    .at(-1);
  if (last?.kind !== 'usage' || last.outcome !== 'ok')
    faults.add('account', account, `${account} could not read its usage at rest`);
  else if (last.used !== consumed + halfDone)
    faults.add(
      'usage',
      account,
      `${account} has used ${last.used} at rest, but the log says ${consumed} consumed and ${halfDone} reserved`,
    );
}
