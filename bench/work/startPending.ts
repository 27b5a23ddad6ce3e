/**
 * The start with a long history when thousands of a user's jobs are pending, beside the same when none is; with read
 * models, and without.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, compare, type Figure, milliseconds, type Row } from '../measure.ts';
import { newUser, writePastJobs, writeWaitingJobs } from './backlog.ts';
import { startInstallation } from './installation.ts';
import { type SlowSite, startSlowSite } from './queue.ts';
import { startMs } from './start.ts';

const EVENTS = 300_000;
const JOBS = 5_000;
/** Each start has a folder of its own, as its audits and followers write. */
type History = { readonly log: string; readonly readModels: string };

async function writeHistory(dir: string, site: SlowSite, pending: boolean): Promise<History> {
  mkdirSync(dir);
  const { url, host, allowHosts } = site;
  const installation = await startInstallation({ dir, allowHosts }, async ({ store }, context) => {
    const userId = await newUser(context);
    const written = await writeWaitingJobs(store, userId, { url, host }, { jobs: JOBS, cancelled: !pending });
    await writePastJobs(store, EVENTS - written - 1);
  });
  // What an installation has that has run for a while: nothing is behind.
  while ((await installation.workers.followerLag()).some(({ ageMs }) => ageMs > 0)) await wait(100);
  await installation.stop();
  return { log: join(dir, 'events.db'), readModels: join(dir, 'readModels.db') };
}

async function startOf(
  dir: string,
  { log, readModels }: History,
  site: SlowSite,
  has: 'read models' | 'no read models',
): Promise<number> {
  mkdirSync(dir);
  copyFileSync(log, join(dir, 'events.db'));
  if (has === 'read models') copyFileSync(readModels, join(dir, 'readModels.db'));
  try {
    return await startMs(dir, { AUDIT_ALLOW_HOSTS: site.allowHosts });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function measureStarts({ rounds, dir, say }: Bench, site: SlowSite): Promise<readonly Row[]> {
  say(`writing two histories of ${EVENTS.toLocaleString('en-US')} events`);
  const pending = await writeHistory(join(dir, 'pending'), site, true);
  const done = await writeHistory(join(dir, 'done'), site, false);
  const rows: Row[] = [];
  for (const has of ['read models', 'no read models'] as const) {
    say(`starts with ${has}`);
    const compared = await compare(
      Math.max(rounds, 5),
      () => startOf(join(dir, 'start'), pending, site, has),
      () => startOf(join(dir, 'start'), done, site, has),
    );
    rows.push({
      what: `start to ready, ${EVENTS.toLocaleString('en-US')} events, ${has}: ${JOBS.toLocaleString('en-US')} pending jobs of a user vs none`,
      ours: milliseconds(compared.ours),
      limit: milliseconds(compared.limit),
      ratio: compared.ratio,
      goal: '≤ 1.1',
      met: compared.ratio <= 1.1,
    });
  }
  return rows;
}

export const startPending: Figure = {
  name: 'startPending',
  async measure(bench) {
    const site = await startSlowSite();
    try {
      return await measureStarts(bench, site);
    } finally {
      await site.stop();
    }
  },
};
