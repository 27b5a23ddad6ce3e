/**
 * Admin requests among 100,000 jobs of 10,000 users: first pages of every list, and how soon a new row and a changed
 * one reach an open page.
 */
import { randomUUID } from 'node:crypto';
import { cancelJob } from '../../src/commands/job/cancelJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { createSequence } from '../../src/commands/sequence/sequences.ts';
import type { NewEvent } from '../../src/eventStore/eventStore.ts';
import { newEvent } from '../events.ts';
import { type Figure, milliseconds, percentile, type Row, timed } from '../measure.ts';
import { latencyRow, watch } from './latency.ts';
import { type Product, startProduct } from './product.ts';

const JOBS = 100_000;
const USERS = 10_000;
const MAILS = 1_000;
const ASKED = 30;
const PATCHES = 150;
const GOAL_MS = 100;
const BOUNDS = { maxPages: 50, maxMs: 180_000 };

const timeOf = (nth: number): string => new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString();
const userOf = (nth: number): string => `bench-user-${nth % USERS}`;

function account(nth: number): NewEvent {
  const userId = userOf(nth);
  return newEvent('AccountRegistered', {
    userId,
    email: `user${nth}@many.example`,
    name: '',
    passwordHash: 'not used',
    registeredAt: timeOf(0),
  });
}

/** One in ten fails, one in a hundred is under way. */
function jobOf(jobId: string, nth: number): readonly NewEvent[] {
  const host = `www.site-${nth % 5_000}.example`;
  const at = timeOf(nth);
  const submitted = newEvent('JobSubmitted', {
    jobId,
    userId: userOf(nth),
    url: `https://${host}/`,
    host,
    bounds: BOUNDS,
    access: 'preview',
    submittedAt: at,
  });
  if (nth % 100 === 0) return [submitted];
  return [
    submitted,
    nth % 10 === 1
      ? newEvent('JobFailed', { jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: at })
      : newEvent('JobCompleted', { jobId, completedAt: at }),
  ];
}

function failedMail(mailId: string, nth: number): NewEvent {
  return newEvent('MailDropped', {
    mailId,
    userId: userOf(nth),
    kind: 'job_done',
    reason: 'given_up',
    droppedAt: timeOf(nth),
  });
}

function enrolled(sequenceId: string, nth: number): NewEvent {
  const at = timeOf(nth);
  return newEvent('SequenceEnrolled', {
    userId: userOf(nth),
    sequenceId,
    trigger: 'sign_up',
    triggeredAt: at,
    enrolledAt: at,
  });
}

/** Returns a job to read the history of. */
async function fill({ store }: Product, sequenceId: string): Promise<string> {
  let pending: Promise<unknown>[] = [];
  const append = async (stream: string, events: readonly NewEvent[]): Promise<void> => {
    if (pending.push(store.append(stream, events, { expected: 'no_stream' })) < 500) return;
    await Promise.all(pending);
    pending = [];
  };
  for (let nth = 0; nth < USERS; nth += 1) await append(`account-${userOf(nth)}`, [account(nth)]);
  for (let nth = 0; nth < JOBS; nth += 1) {
    const jobId = randomUUID();
    await append(`job-${jobId}`, jobOf(jobId, nth));
  }
  for (let nth = 0; nth < USERS; nth += 1) await append(`delivery-${userOf(nth)}`, [enrolled(sequenceId, nth)]);
  for (let nth = 0; nth < MAILS; nth += 1) {
    const mailId = randomUUID();
    await append(`mail-${mailId}`, [failedMail(mailId, nth)]);
  }
  const last = randomUUID();
  await append(`job-${last}`, jobOf(last, JOBS + 1));
  await Promise.all(pending);
  return last;
}

const ASKS = [
  ['the newest 100', 'all-jobs'],
  ['the newest 100 that failed', 'all-jobs?status=failed'],
  ['100 by website', 'all-jobs?sort=website&order=asc'],
  ['a website searched for', 'all-jobs?search=site-77'],
  ['an email searched for', 'all-jobs?search=user77@many'],
  ['the figures of the dashboard', 'overview'],
  ['the newest failed emails', 'system/mails'],
  ['parked events, work and read models', 'system'],
  ['the users by last activity', 'user-progress'],
  ['the jobs of a user', `users/${userOf(77)}/jobs`],
  ['the emails to a user', `users/${userOf(77)}/mails`],
  ['the sequences', 'email-sequences/sequences'],
  ['analytics of the whole log', 'analytics'],
] as const;

const READ_MODELS = [
  'jobs',
  'jobIndex',
  'accounts',
  'userProgress',
  'failedMails',
  'userMails',
  'sequences',
  'sequenceRecipients',
];

/** Milliseconds from ending each job to its changed row on a page that was opened after it was submitted. */
async function timesOfPatches(product: Product, token: string, jobIds: readonly string[]): Promise<readonly number[]> {
  const watched = await watch(product, token, 'admin:jobs');
  const times: number[] = [];
  for (const jobId of jobIds) {
    const from = performance.now();
    await cancelJob(product.context(null), { jobId });
    times.push((await watched.seen(jobId)) - from);
  }
  watched.close();
  return times;
}

export const adminJobs: Figure = {
  name: 'adminJobs',
  async measure({ dir, say }) {
    const product = await startProduct(dir);
    // The first account is the admin.
    const { userId, token } = await product.user();
    const { sequenceId } = await createSequence(product.context(null), {
      name: 'Welcome',
      description: '',
      trigger: 'sign_up',
    });
    const jobId = await fill(product, sequenceId);
    await product.readModels.reached(READ_MODELS, await product.store.head(), 600_000);
    say(`${JOBS} jobs of ${USERS} users are projected`);
    const ask = async (path: string): Promise<string> => {
      const response = await fetch(`${product.url}/api/v1/admin/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = await response.text();
      if (!response.ok || body.includes('"data":[]'))
        throw new Error(`${path}: ${response.status} ${body.slice(0, 200)}`);
      return body;
    };
    // The first reading of the log is the figure `reports`; here it goes on from what was read.
    while ((await ask('analytics')).includes('"progress":{'));
    const rows: Row[] = [];
    const ofOne = [
      ['the history of a job', `history/streams/job-${jobId}`],
      ['the figures of a sequence', `email-sequences/sequences/${sequenceId}/figures`],
    ] as const;
    for (const [what, path] of [...ASKS, ...ofOne]) {
      const took: number[] = [];
      for (let time = 0; time < ASKED; time += 1) took.push(await timed(() => ask(path)));
      const p95 = percentile(took, 95);
      const asked = `admin, ${JOBS / 1000},000 jobs of ${USERS / 1000},000 users: ${what}, p95`;
      rows.push({
        what: asked,
        ours: milliseconds(p95),
        limit: '–',
        ratio: null,
        goal: `< ${GOAL_MS} ms`,
        met: p95 < GOAL_MS,
      });
    }
    const watched = await watch(product, token, 'admin:jobs');
    const times: number[] = [];
    const made: string[] = [];
    for (let nth = 0; nth < PATCHES; nth += 1) {
      const from = performance.now();
      const site = { url: 'https://shop.example/', host: 'shop.example' };
      const { jobIds } = await submitJobs(product.context(null), {
        userId,
        sites: [site],
        bounds: BOUNDS,
        unbilled: true,
      });
      times.push((await watched.seen(jobIds[0] ?? '')) - from);
      made.push(...jobIds);
    }
    watched.close();
    const patched = await timesOfPatches(product, token, made);
    rows.push(latencyRow('admin, the same jobs: a new one until its row is on an open page, p50 / p99', times));
    rows.push(latencyRow('admin, the same jobs: a change until the row on an open page shows it, p50 / p99', patched));
    await product.close();
    return rows;
  },
};
