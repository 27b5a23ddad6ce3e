/**
 * What a long bill costs: folding it, and each submission, cancellation and end of a job of a user who has one, beside
 * a user who has had ten analyses; and the first submission after a start, with a snapshot of the bill and without.
 */

import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { signUp } from '../../src/commands/account/signUp.ts';
import { settleAnalysis } from '../../src/commands/billing/settleAnalysis.ts';
import { type CommandContext, contextOf } from '../../src/commands/context.ts';
import { handle } from '../../src/commands/handle.ts';
import { cancelJob } from '../../src/commands/job/cancelJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { type BillingEvent, billingStream } from '../../src/domain/billing/events.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { openSqliteEventStore, type SqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { startChild } from '../child.ts';
import { newEvent } from '../events.ts';
import { type Bench, compare, type Figure, median, milliseconds, type Row, timed } from '../measure.ts';
import type { FirstCommand } from './billChild.ts';

const SUBMISSION = {
  sites: [{ url: 'https://shop.example/', host: 'shop.example' }],
  bounds: { maxPages: 50, maxMs: 180_000 },
  freeAnalyses: 1_000_000,
};
/** Of each kind of command in a round. */
const COMMANDS = 40;
const FEW = 10;
const MANY = [10_000, 100_000];
const MONTHS = 24;
const FOLDED = 40_000;
const [WHOLE, SHORT] = [40_000, 100];
/** So many analyses, and how long the first command may take, ms. */
const FIRST = [
  [10_000, 200],
  [40_000, 200],
  [100_000, 500],
] as const;
const now = (): string => new Date().toISOString();

/** So many analyses over two years, all with their result. */
function* billOf(userId: string, analyses: number): Generator<BillingEvent> {
  for (let nth = 0; nth < analyses; nth += 1) {
    const month = Math.floor((nth * MONTHS) / analyses);
    const period = `${2024 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
    const [jobId, at] = [randomUUID(), `${period}-15T12:00:00.000Z`];
    const reservation = {
      userId,
      jobId,
      batchId: randomUUID(),
      from: 'free_allowance',
      period,
      access: 'preview',
      reservedAt: at,
    } as const;
    yield { type: 'AnalysisReserved', data: reservation };
    yield { type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at } };
  }
}

async function foldRow({ rounds }: Bench): Promise<Row> {
  const [long, short] = [[...billOf('user', FOLDED)], [...billOf('user', FOLDED / 10)]];
  const fold = (events: readonly BillingEvent[]) => events.reduce(billingDecider.evolve, billingDecider.initialState());
  const compared = await compare(
    rounds,
    () => timed(() => fold(long)),
    () => timed(() => Array.from({ length: 10 }, () => fold(short))),
  );
  return {
    what: `fold a bill of ${FOLDED.toLocaleString('en-US')} analyses vs ten of a tenth`,
    ours: milliseconds(compared.ours),
    limit: milliseconds(compared.limit),
    ratio: compared.ratio,
    goal: '≤ 3, < 200 ms',
    met: compared.ratio <= 3 && compared.ours < 200,
  };
}

const benchContext = (store: SqliteEventStore): CommandContext =>
  contextOf({ store, now, commandId: randomUUID(), actor: { kind: 'system', id: 'bench' } }, null);

async function userWith(store: SqliteEventStore, analyses: number): Promise<string> {
  const ctx = benchContext(store);
  const { userId } = await signUp(ctx, {
    email: `${randomUUID()}@example.com`,
    name: 'Bench',
    passwordHash: 'not used',
  });
  let group: ReturnType<typeof newEvent>[] = [];
  const write = async () => {
    if (group.length > 0) await store.append(billingStream(userId), group, { expected: 'any' });
    group = [];
  };
  for (const { type, data } of billOf(userId, analyses)) {
    group.push(newEvent(type, data));
    if (group.length === 2_000) await write();
  }
  await write();
  return userId;
}

type Side = 'many' | 'few';
type Command = 'submit' | 'cancel' | 'end';
type Taken = Readonly<Record<Side, Readonly<Record<Command, number>>>>;

/** Milliseconds for each command, in the median; the sides take turns with every one of them. */
async function commandsOf(
  store: SqliteEventStore,
  users: Readonly<Record<Side, string>>,
  sides: readonly Side[],
): Promise<Taken> {
  const context = (): CommandContext => benchContext(store);
  const none = (): Record<Command, number[]> => ({ submit: [], cancel: [], end: [] });
  const taken = { many: none(), few: none() };
  const submitted: (readonly [side: Side, jobId: string])[] = [];
  for (let nth = 0; nth < COMMANDS * 2; nth += 1) {
    for (const side of sides) {
      const submission = { userId: users[side], ...SUBMISSION };
      const submit = async () =>
        submitted.push(...(await submitJobs(context(), submission)).jobIds.map((jobId) => [side, jobId] as const));
      taken[side].submit.push(await timed(submit));
    }
  }
  for (const [nth, [side, jobId]] of submitted.entries()) {
    if (nth % 4 < 2) taken[side].cancel.push(await timed(() => cancelJob(context(), { jobId })));
    else {
      await handle(context(), jobDecider, jobStream(jobId), {
        type: 'FailJob',
        code: 'INTERNAL',
        reason: 'Measured.',
        at: now(),
      });
      taken[side].end.push(await timed(() => settleAnalysis(context(), { jobId })));
    }
  }
  const medians = ({ submit, cancel, end }: Record<Command, number[]>) => ({
    submit: median(submit),
    cancel: median(cancel),
    end: median(end),
  });
  return { many: medians(taken.many), few: medians(taken.few) };
}

async function commandRows(bench: Bench, analyses: number): Promise<readonly Row[]> {
  const count = analyses.toLocaleString('en-US');
  bench.say(`writing a bill of ${count} analyses`);
  const store = openSqliteEventStore({ file: join(bench.dir, `bill-${analyses}.db`) });
  const users = { many: await userWith(store, analyses), few: await userWith(store, FEW) };
  const rounds: Taken[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const taken = await commandsOf(store, users, round % 2 === 0 ? ['many', 'few'] : ['few', 'many']);
    // The first one is to warm up.
    if (round > 0) rounds.push(taken);
  }
  await store.close();
  const row = (what: string, command: Command): Row => {
    const ratio = median(rounds.map((round) => round.many[command] / round.few[command]));
    return {
      what,
      ours: milliseconds(median(rounds.map((round) => round.many[command]))),
      limit: milliseconds(median(rounds.map((round) => round.few[command]))),
      ratio,
      goal: '≤ 1.5',
      met: ratio <= 1.5,
    };
  };
  return [
    row(`submit with ${count} analyses vs with ${FEW}`, 'submit'),
    row('the same: cancel a job', 'cancel'),
    row('the same: settle the analysis of a job that has ended', 'end'),
  ];
}

/** In a process of its own each, as nothing is warm after a start. */
/** Milliseconds of the first command of a process, with a bill of so many analyses. */
async function firstWith(bench: Bench, analyses: number): Promise<(isSnapped: boolean) => Promise<number>> {
  bench.say(`first commands with a bill of ${analyses.toLocaleString('en-US')} analyses`);
  const dir = join(bench.dir, randomUUID());
  mkdirSync(dir);
  const store = openSqliteEventStore({ file: join(dir, 'events.db') });
  const userId = await userWith(store, analyses);
  await store.close();
  return async (isSnapped) => {
    const child = startChild('work/billChild');
    const { ms } = await child.ask<{ readonly ms: number }>({
      dir,
      submission: { userId, ...SUBMISSION },
      isSnapped,
    } satisfies FirstCommand);
    await child.stop();
    return ms;
  };
}

/** What snapshots are for: without them, a long bill is read whole once per start. */
async function wholeRow(bench: Bench): Promise<Row> {
  const [long, short] = [await firstWith(bench, WHOLE), await firstWith(bench, SHORT)];
  const compared = await compare(
    bench.rounds,
    () => long(false),
    () => short(false),
  );
  return {
    what: `first submission after a start without snapshots, a bill of ${WHOLE.toLocaleString('en-US')} analyses vs one of ${SHORT}`,
    ours: milliseconds(compared.ours),
    limit: milliseconds(compared.limit),
    ratio: compared.ratio,
    goal: '≥ 3: below, snapshots are not worth it',
    met: compared.ratio >= 3,
  };
}

async function firstRow(bench: Bench, analyses: number, goalMs: number): Promise<Row> {
  const count = analyses.toLocaleString('en-US');
  const first = await firstWith(bench, analyses);
  // Leaves the first snapshot.
  await first(false);
  const compared = await compare(
    bench.rounds,
    () => first(true),
    () => first(false),
  );
  return {
    what: `first submission after a start with ${count} analyses, from a snapshot vs the whole bill`,
    ours: milliseconds(compared.ours),
    limit: milliseconds(compared.limit),
    ratio: compared.ratio,
    goal: `≤ ${goalMs} ms`,
    met: compared.ours <= goalMs,
  };
}

export const bill: Figure = {
  name: 'bill',
  async measure(bench) {
    const rows = [await foldRow(bench)];
    for (const analyses of MANY) rows.push(...(await commandRows(bench, analyses)));
    for (const [analyses, goalMs] of FIRST) rows.push(await firstRow(bench, analyses, goalMs));
    rows.push(await wholeRow(bench));
    return rows;
  },
};
