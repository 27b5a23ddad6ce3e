/** Process of its own: an installation with a user whose jobs wait, and what is asked of it while they do. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { handle } from '../../src/commands/handle.ts';
import { cancelJob } from '../../src/commands/job/cancelJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { presentJobs } from '../../src/http/jobs/presentJobs.ts';
import { listJobsById } from '../../src/projections/jobs.ts';
import { measureDepth } from '../../src/work/items.ts';
import { AUDIT, AUDITS_OF_A_USER } from '../../src/work/kinds/audit.ts';
import { MAIL } from '../../src/work/kinds/mail.ts';
import { progressed } from '../events.ts';
import { timed } from '../measure.ts';
import { BOUNDS, newUser, type Site, writeWaitingJobs } from './backlog.ts';
import { type Installation, type InstallationOptions, startInstallation } from './installation.ts';

export type QueueStart = InstallationOptions & {
  readonly site: Site;
  /** Jobs of one user that wait beside the two of theirs that run; null: there are none, and nothing runs. */
  readonly waiting: number | null;
};

export type QueueOrder =
  | { readonly ask: 'start'; readonly start: QueueStart }
  /** What the process writes within `ms`. */
  | { readonly ask: 'written'; readonly ms: number }
  /** Events appended one after the other, each waited for, as many times; ms each. */
  | { readonly ask: 'appends'; readonly events: number; readonly times: number }
  /** So many more jobs of the user's wait. */
  | { readonly ask: 'wait'; readonly times: number }
  /** What the commands of the user whose jobs wait cost, each so many times. */
  | { readonly ask: 'commands'; readonly times: number }
  /** From a submission of another user to the first event of its audit, ms; where a place is free. */
  | { readonly ask: 'first'; readonly times: number }
  /** From the cancellation of a running audit to the first event of the user's next, ms. */
  | { readonly ask: 'next'; readonly times: number }
  | { readonly ask: 'stop' };

/** Bytes: what the kernel counts as to be stored, and what was handed to it in all. */
export type Written = { readonly stored: number; readonly handed: number };
export type CommandTimes = {
  readonly submit: readonly number[];
  readonly cancel: readonly number[];
  readonly end: readonly number[];
};

type Watch = {
  /** Jobs by the time at which the event of theirs came. */
  readonly started: ReadonlyMap<string, number>;
  readonly released: ReadonlyMap<string, number>;
  /** Asks after each event, until there is an answer. */
  until<T>(look: () => T | undefined): Promise<T>;
};

function watchLog(store: EventStore): Watch {
  const [started, released] = [new Map<string, number>(), new Map<string, number>()];
  let wake = (): void => undefined;
  void (async () => {
    for await (const message of store.subscribe({
      after: 'end',
      filter: { types: ['JobStarted', 'AnalysisReleased'] },
    })) {
      if (message.kind !== 'events') continue;
      for (const { type, data } of message.events)
        (type === 'JobStarted' ? started : released).set((data as { jobId: string }).jobId, performance.now());
      wake();
    }
  })();
  return {
    started,
    released,
    async until(look) {
      for (;;) {
        const found = look();
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

type Queue = {
  readonly installation: Installation;
  readonly site: Site;
  readonly userId: string;
  readonly otherId: string;
  readonly watch: Watch;
  /** The user's audits that run, the oldest first. */
  readonly running: string[];
};

async function start({ site, waiting, ...options }: QueueStart): Promise<Queue> {
  const users: string[] = [];
  let watch: Watch | null = null;
  const installation = await startInstallation(options, async ({ store }, context) => {
    users.push(await newUser(context), await newUser(context));
    if (waiting !== null)
      await writeWaitingJobs(store, users[0] ?? '', site, { jobs: waiting + AUDITS_OF_A_USER, cancelled: false });
    watch = watchLog(store);
  });
  const [userId = '', otherId = ''] = users;
  const queue: Queue = { installation, site, userId, otherId, watch: watch as unknown as Watch, running: [] };
  for (let n = 0; waiting !== null && n < AUDITS_OF_A_USER; n += 1) queue.running.push(await nextStarted(queue));
  return queue;
}

/** The next of the user's audits that begins. */
function nextStarted({ watch, running }: Queue, known: ReadonlySet<string> = new Set(running)): Promise<string> {
  return watch.until(() => [...watch.started.keys()].find((jobId) => !known.has(jobId)));
}

/** As long as its caller waits for it: until lists show it, with how many come before it. */
async function submit({ installation, site }: Queue, userId: string): Promise<string> {
  const { context, readModels } = installation;
  const { jobIds, position } = await submitJobs(context(), {
    userId,
    sites: [site],
    bounds: BOUNDS,
    freeAnalyses: 1_000_000,
  });
  await readModels.reached(['jobs', 'jobIndex', 'billing'], position, 10_000);
  await presentJobs({ readModels }, await listJobsById(readModels, jobIds), new Date().toISOString());
  return jobIds[0] ?? '';
}

async function cancel({ installation }: Queue, jobId: string): Promise<void> {
  const { position } = await cancelJob(installation.context(), { jobId });
  await installation.readModels.reached(['jobs', 'billing', 'workItems'], position, 10_000);
}

/** Of a job that waits: its end, and what follows from it for the bill. */
async function end({ installation, watch }: Queue, jobId: string): Promise<void> {
  const { context, readModels } = installation;
  const command = { type: 'FailJob', code: 'INTERNAL', reason: 'Measured.', at: new Date().toISOString() } as const;
  const { position } = await handle(context(), jobDecider, jobStream(jobId), command);
  await readModels.reached(['jobs', 'workItems'], position, 10_000);
  await watch.until(() => watch.released.get(jobId));
}

/** Each leaves as many waiting as it found. */
async function commands(queue: Queue, times: number): Promise<CommandTimes> {
  const taken = { submit: [] as number[], cancel: [] as number[], end: [] as number[] };
  const submitted = async (): Promise<string> => {
    let jobId = '';
    taken.submit.push(
      await timed(async () => {
        jobId = await submit(queue, queue.userId);
      }),
    );
    return jobId;
  };
  for (let n = 0; n < times; n += 1) {
    const [first, second] = [await submitted(), await submitted()];
    taken.cancel.push(await timed(() => cancel(queue, first)));
    taken.end.push(await timed(() => end(queue, second)));
  }
  return taken;
}

async function first(queue: Queue, times: number): Promise<readonly number[]> {
  const { installation, otherId, watch } = queue;
  const before = installation.running(AUDIT);
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const from = performance.now();
    const jobId = await submit(queue, otherId);
    taken.push((await watch.until(() => watch.started.get(jobId))) - from);
    await cancel(queue, jobId);
    while (installation.running(AUDIT) > before || (await isFollowing(installation))) await wait(5);
  }
  return taken;
}

/** What follows from the last event is still being done. */
async function isFollowing({ workers, readModels }: Installation): Promise<boolean> {
  const mails = await measureDepth(readModels, MAIL, new Date().toISOString());
  return mails.depth > 0 || (await workers.followerLag()).some(({ ageMs }) => ageMs > 0);
}

async function appends({ installation }: Queue, events: number, times: number): Promise<readonly number[]> {
  const { store } = installation;
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) {
    taken.push(
      await timed(async () => {
        for (let at = 0; at < events; at += 1)
          await store.append(`bench-${randomUUID()}`, [progressed(randomUUID(), n)], { expected: 'no_stream' });
      }),
    );
  }
  return taken;
}

async function next(queue: Queue, times: number): Promise<readonly number[]> {
  const { watch, running, userId } = queue;
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) {
    await submit(queue, userId);
    const known = new Set(watch.started.keys());
    const from = performance.now();
    await cancel(queue, running.shift() ?? '');
    const jobId = await nextStarted(queue, known);
    taken.push((watch.started.get(jobId) ?? 0) - from);
    running.push(jobId);
  }
  return taken;
}

async function written(ms: number): Promise<Written> {
  const read = async (): Promise<Written> => {
    const text = readFileSync('/proc/self/io', 'utf8');
    const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    return { stored: count('write_bytes'), handed: count('wchar') };
  };
  const before = await read();
  await wait(ms);
  const after = await read();
  return { stored: after.stored - before.stored, handed: after.handed - before.handed };
}

let queue: Queue | null = null;

async function answer(order: QueueOrder): Promise<object> {
  if (order.ask === 'start') queue = await start(order.start);
  if (!queue) throw new Error('Nothing was started.');
  if (order.ask === 'written') return written(order.ms);
  if (order.ask === 'wait') for (let n = 0; n < order.times; n += 1) await submit(queue, queue.userId);
  if (order.ask === 'commands') return commands(queue, order.times);
  if (order.ask === 'appends') return appends(queue, order.events, order.times);
  if (order.ask === 'first') return first(queue, order.times);
  if (order.ask === 'next') return next(queue, order.times);
  if (order.ask === 'stop') await queue.installation.stop();
  return {};
}

process.on('message', (order: QueueOrder) => {
  answer(order).then(
    (answered) => process.send?.(answered),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
});
