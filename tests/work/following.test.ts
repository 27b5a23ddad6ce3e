/** All followers and sweeps on real stores and read models: they finish what the product's commands leave to them. */

import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { handle, loadState } from '../../src/commands/handle.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { requestSessionsEnd } from '../../src/commands/session/endSessions.ts';
import { startSession } from '../../src/commands/session/startSession.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { type EventStore, START } from '../../src/eventStore/eventStore.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { createFollowers } from '../../src/work/followers/all.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { runFollowers } from '../../src/work/runFollowers.ts';
import { runSweeps } from '../../src/work/runSweeps.ts';
import { createSweeps } from '../../src/work/sweeps/all.ts';
import { completeJob, failJob } from '../given/audit/auditedJob.ts';
import { crashingStore, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { LEAVER, leaver, traces } from '../given/leaver.ts';
import { manualClock } from '../given/manualClock.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';
import { sleepOn } from '../given/work/following.ts';
import { nothingToVerify } from '../given/work/verifying.ts';
import { tryInVain, webhookOf } from '../given/work/webhooks.ts';

let readModels: SqliteReadModels;
let stop: () => Promise<void>;
beforeEach(() => {
  readModels = openSqliteReadModels({ file: ':memory:' });
  stop = async () => undefined;
});
afterEach(async () => {
  await stop();
  await readModels.close();
});

type Following = {
  readonly forgotten: string[];
  readonly aside: string[];
  readonly pass: (minutes: number) => void;
  readonly behind: () => Promise<number>;
};

/** As the leading process does. */
async function follow(made: Product, store: EventStore = made.store): Promise<Following> {
  const clock = manualClock(Date.parse(made.now()));
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const projections: Projecting = projecting(store, readModels, READ_MODELS);
  await projections.ready;
  const forgotten: string[] = [];
  const aside: string[] = [];
  const context = () => made.context(undefined, store);
  const mailer = { forget: async (userId: string) => void forgotten.push(userId), send: async () => undefined };
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const common = { marks: readModels.marks, signal: stopping.signal, now: made.now, sleep: sleepOn(clock), log: quiet };
  const followers = createFollowers({
    store,
    readModels,
    snapshots: readModels.snapshots,
    context,
    mailer,
    payments: null,
    adminEmail: undefined,
    appUrl: 'https://seo.example.com',
    itemsFile: () => 'items',
    recordsRuns: 5,
  });
  const setAside = async ({ name }: { name: string }) => void aside.push(name);
  const running = runFollowers({ ...common, followers, store, setAside });
  const nobody = {
    verifyStep: nothingToVerify,
    problems: async () => [],
    adminEmail: undefined,
    appUrl: 'https://seo.example.com',
  };
  const sweeps = createSweeps({
    reportKinds: [],
    keptDays: 90,
    readModels,
    claims: readModels.claims,
    marks: readModels.marks,
    snapshots: readModels.snapshots,
    kinds: [],
    context,
    mailer,
    payments: null,
    ...nobody,
  });
  const sweeping = runSweeps({ ...common, sweeps });
  stop = async () => {
    stopping.abort();
    await Promise.all([running.done, sweeping.done]);
    await projections.stop();
  };
  return {
    forgotten,
    aside,
    pass: (minutes) => {
      made.pass(minutes);
      clock.advance(minutes * 60_000);
    },
    behind: async () => Math.max(...(await running.lag()).map(({ behind }) => behind)),
  };
}

const until = (act: () => Promise<void>) => vi.waitFor(act, { timeout: 10_000, interval: 5 });
const caughtUp = (following: Following) => until(async () => expect(await following.behind()).toBe(0));

describe('followers and sweeps together', () => {
  it('settle ended jobs, send notifications, and end what was requested to end', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const endpointId = await webhookOf(made, ann);
    const { sessionId } = await startSession(made.context(), { userId: ann, newToken: () => 'x'.repeat(43) });
    const following = await follow(made);
    const sites = ['one', 'two'].map((name) => ({ url: `https://${name}.example/`, host: `${name}.example` }));
    const { jobIds } = await submitJobs(made.context(), { userId: ann, sites, bounds: { maxPages: 5, maxMs: 1_000 } });
    const [well = '', failed = ''] = jobIds;
    await completeJob(made, well, ann);
    await failJob(made, failed);
    await requestSessionsEnd(made.context(), { userId: ann, keptSessionId: null });
    await until(async () => {
      const types = (await made.log()).map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['AnalysisConsumed', 'AnalysisReleased', 'WebhookQueued', 'SessionEnded']),
      );
    });
    await caughtUp(following);
    const queued = (await made.log())
      .filter(({ type }) => type === 'WebhookQueued')
      .map(({ data }) => data as { endpointId: string; deliveryId: string; body: string });
    expect(queued).toMatchObject([{ endpointId }]);
    const received = JSON.parse(queued[0]?.body ?? '') as { data: { job: object } };
    expect(received.data.job).toMatchObject({ id: well, status: 'completed' });
    expect((await made.log()).filter(({ type }) => type === 'SessionEnded')).toMatchObject([
      { data: { sessionId, reason: 'revoked' } },
    ]);
    await tryInVain(made, queued[0]?.deliveryId ?? '');
    await until(async () =>
      expect(await made.types('webhooks-')).toEqual(['WebhookAdded', 'WebhookFailing', 'WebhookDisabled']),
    );
    expect(following.aside).toEqual([]);
  });

  it('erase an account with only its deletion written, and clean up a crashed sign-up and a crashed submission', async () => {
    const { made, userId } = await leaver();
    const bob = await userOf(made, 'bob@example.com');
    await orCrash(
      userOf(
        { ...made, context: () => made.context(undefined, crashingStore(made.store, 2, 'before')) },
        'eve@example.com',
      ),
    );
    const sites = [{ url: 'https://example.com/', host: 'example.com' }];
    await orCrash(
      submitJobs(made.context('died', crashingStore(made.store, 2, 'before')), {
        userId: bob,
        sites,
        bounds: { maxPages: 1, maxMs: 1 },
      }),
    );
    const following = await follow(made);
    await deleteAccount(made.context(), { userId });
    await until(async () =>
      expect(await traces(made)).toEqual(
        expect.not.arrayContaining(['JobSubmitted', 'ApiKeyCreated', 'WebhookQueued']),
      ),
    );
    await caughtUp(following);
    expect(JSON.stringify((await made.log()).map(({ data }) => data))).not.toContain(LEAVER);
    expect(following.forgotten).toContain(userId);
    following.pass(11);
    await until(async () => {
      const types = (await made.log()).map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['EmailRefused']));
      expect(
        (await made.log()).filter(
          ({ type, data }) => type === 'AnalysisReleased' && (data as { reason: string }).reason === 'job_missing',
        ),
      ).toHaveLength(1);
    });
    await until(async () => expect(following.forgotten.length).toBeGreaterThan(1));
    expect(JSON.stringify((await made.log()).map(({ data }) => data))).not.toContain('eve@example.com');
  });

  it('reach the same result when they are killed again and again, at any write', async () => {
    const { made, userId } = await leaver();
    const ann = await userOf(made, 'ann@example.com');
    const endpointId = await webhookOf(made, ann);
    const sites = [{ url: 'https://example.com/', host: 'example.com' }];
    const { jobIds } = await submitJobs(made.context(), { userId: ann, sites, bounds: { maxPages: 5, maxMs: 1_000 } });
    await completeJob(made, jobIds[0] ?? '', ann);
    await handle(made.context(), accountDecider, accountStream(ann), {
      type: 'RequestEmailChange',
      email: 'moved@example.com',
      at: made.now(),
    });
    await deleteAccount(made.context(), { userId });
    for (let nth = 1; nth < 12; nth += 1) {
      const dying = crashingStore(made.store, nth, nth % 2 === 0 ? 'before' : 'after');
      await follow(made, dying);
      await until(async () => expect(dying.crashed()).toBe(true)).catch(() => undefined);
      await stop();
      if (!dying.crashed()) break;
    }
    const following = await follow(made);
    await caughtUp(following);
    expect((await traces(made)).filter((type) => type !== 'AccountRegistered')).toEqual([]);
    expect((await loadState(made.store, accountDecider, accountStream(ann))).state).toMatchObject({
      email: 'moved@example.com',
      nextEmail: null,
    });
    const queued = (await made.log()).filter(({ type }) => type === 'WebhookQueued');
    expect(queued).toMatchObject([{ data: { endpointId } }]);
    expect((await made.types(`billing-${ann}`)).filter((type) => type === 'AnalysisConsumed')).toHaveLength(1);
    following.pass(1);
    await until(async () => expect(await readModels.marks.read('follower/deletedAccounts')).not.toBe(START));
  });
});
