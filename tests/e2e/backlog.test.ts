/** Many audits are queued when the read models are lost: the list is rebuilt from the log, and each audit ends once. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JobsResponse } from '../../src/http/contract/jobs.ts';
import { FULL } from '../given/fullForm.ts';
import { type ApiClient, clientOf, FINAL, signUp } from '../given/product/apiClient.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { htmlPage, startTestSite } from '../servers/testSite.ts';
import type { Arena, ArenaOptions, ReadLog } from '../torture/arena.ts';
import { openEmbeddedArena } from '../torture/embeddedArena.ts';
import { openProductionArena } from '../torture/productionArena.ts';

/** One in ten of them ends before the loss; a multiple of the users, who have as many each. */
const AUDITS = { embedded: FULL ? 200 : 12, production: 200 };
const USERS = 4;
const POLL_MS = 300;
/** From the loss until the next audit ends: seconds, or a minute on a busy machine, ms. */
const RECOVERED_MS = 120_000;
const ENDED_MS = FULL ? 900_000 : 240_000;
const TEST_MS = 2 * ENDED_MS;

const ENDS = new Set(['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'JobFailed', 'JobCancelled']);
const SETTLED = new Set(['AnalysisConsumed', 'AnalysisReleased']);

type Backlog = {
  readonly audits: number;
  /** Per audit: one or two. */
  readonly pages: number;
  /** Loses the read models, and perhaps more. */
  readonly lose: (arena: Arena) => Promise<void>;
};

/** Until it opens, only the pages of the first few audits are answered. */
async function startGatedSite(pages: number, first: number) {
  const waiting: (() => void)[] = [];
  const admitted = new Set<string>();
  let open = false;
  const site = await startTestSite({
    '/robots.txt': { status: 404 },
    '/sitemap.xml': { status: 404 },
    '/llms.txt': { status: 404 },
    '*': ({ url = '' }, response) => {
      const [, number = ''] = /^\/audit-(\d+)/.exec(url) ?? [];
      const links = pages > 1 ? [`/audit-${number}/more`] : [];
      const send = (): void =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(htmlPage(`Page ${url}`, ...links));
      if (number !== '' && admitted.size < first) admitted.add(number);
      if (open || number === '' || admitted.has(number)) send();
      else waiting.push(send);
    },
  });
  const openUp = (): void => {
    open = true;
    for (const send of waiting.splice(0)) send();
  };
  return { ...site, openUp };
}

async function loseWhileQueued(
  openArena: (options: ArenaOptions) => Promise<Arena>,
  { audits, pages, lose }: Backlog,
): Promise<void> {
  const first = Math.ceil(audits / 10);
  const site = await startGatedSite(pages, first);
  const arena = await openArena({ allowance: audits, hosts: [site.host] });
  try {
    const url = (): string => arena.urls()[0] ?? '';
    const users: ApiClient[] = [];
    for (let user = 0; user < USERS; user += 1) users.push(await signUp(url()));
    await Promise.all(
      users.map((user, index) => submit(user, site.origin, { from: (index * audits) / USERS, count: audits / USERS })),
    );
    await until(async () => (await endedOf(url(), users)) === first, ENDED_MS);
    await lose(arena);
    site.openUp();
    await until(async () => (await endedOf(url(), users)) > first, RECOVERED_MS);
    await until(async () => (await endedOf(url(), users)) === audits, ENDED_MS);
    // An audit is settled soon after its job's end. In a process that owns the log, each check pauses it, so the checks
    // back off.
    const isSettled = async () => (await arena.readLog()).log.filter(({ type }) => SETTLED.has(type)).length >= audits;
    for (let pauseMs = 500; !(await isSettled()) && pauseMs < ENDED_MS; pauseMs *= 2) await wait(pauseMs);
    expectEachOnce(await arena.finish(), audits);
  } catch (error) {
    process.stdout.write(arena.output());
    throw error;
  } finally {
    await arena.close();
    await site.close();
  }
}

async function submit(
  user: ApiClient,
  origin: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<void> {
  const urls = Array.from({ length: count }, (_, number) => `${origin}/audit-${from + number}`);
  const { status } = await user.call('POST', '/api/v1/process/batch', { urls });
  expect(status).toBe(202);
}

/** As the product shows it; during a rebuild it shows less, or nothing. */
async function endedOf(url: string, users: readonly ApiClient[]): Promise<number> {
  const lists = await Promise.all(
    users.map(async ({ token, userId }) => {
      const answer = await clientOf(url, token, userId)
        .call<JobsResponse>('GET', '/api/v1/jobs?limit=100')
        .catch(() => null);
      return answer?.status === 200 ? answer.body.data.completed : [];
    }),
  );
  return lists.flat().filter(({ status }) => FINAL.has(status)).length;
}

async function until(holds: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It did not come to be within ${timeoutMs} ms: ${holds}`);
    await wait(POLL_MS);
  }
}

function expectEachOnce({ log, faults }: ReadLog, audits: number): void {
  expect(faults).toEqual([]);
  const jobs = log.flatMap(({ type, jobId }) => (type === 'JobSubmitted' && jobId !== null ? [jobId] : []));
  expect(jobs).toHaveLength(audits);
  const endsOf = (types: ReadonlySet<string>) => (id: string) =>
    log.filter(({ type, jobId }) => jobId === id && types.has(type)).map(({ type }) => type);
  expect(jobs.map(endsOf(ENDS))).toEqual(jobs.map(() => ['JobCompleted']));
  expect(jobs.map(endsOf(SETTLED))).toEqual(jobs.map(() => ['AnalysisConsumed']));
}

describe('queued audits', () => {
  it(`${AUDITS.embedded} end once each, soon after readModels.db was deleted`, { timeout: TEST_MS }, async () => {
    await loseWhileQueued(openEmbeddedArena, {
      audits: AUDITS.embedded,
      pages: 2,
      lose: async (arena) => {
        const [server] = arena.targets;
        await server?.kill();
        await arena.loseReadModels();
        await server?.start();
      },
    });
  });

  // In the short form, the storms of `work` and `processes` lose and restart these stores.
  it.skipIf(!FULL || !available('mongod (scripts/fetchMongod.sh)', MONGOD))(
    `${AUDITS.production} end once each, soon after the MongoDB database was dropped and EventStoreDB restarted`,
    { timeout: TEST_MS },
    async () => {
      await loseWhileQueued(openProductionArena, {
        audits: AUDITS.production,
        pages: 1,
        lose: async (arena) => {
          const eventStore = arena.targets.find(({ name }) => name === 'the event store');
          await Promise.all([eventStore?.kill().then(() => eventStore.start()), arena.loseReadModels()]);
        },
      });
    },
  );
});
