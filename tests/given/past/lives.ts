/** Random histories for all read models: pending work and its outcomes, and what users do meanwhile. */

import type fc from 'fast-check';
import { setMailChoice } from '../../../src/commands/account/setMailChoice.ts';
import { setSignIn } from '../../../src/commands/account/setSignIn.ts';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { voidAccount } from '../../../src/commands/account/voidAccount.ts';
import { createApiKey } from '../../../src/commands/apiKeys/createApiKey.ts';
import { noteApiKeyUse } from '../../../src/commands/apiKeys/noteApiKeyUse.ts';
import { revokeApiKey } from '../../../src/commands/apiKeys/revokeApiKey.ts';
import { settleAnalysis } from '../../../src/commands/billing/settleAnalysis.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { handle } from '../../../src/commands/handle.ts';
import { carryOutDeletions } from '../../../src/commands/job/deleteJobs.ts';
import { packRecords, removePageRecords, writePageRecords } from '../../../src/commands/job/pageRecords.ts';
import { rewriteReportFile, writeReportFile } from '../../../src/commands/job/writeReportFile.ts';
import { writeReportRows } from '../../../src/commands/job/writeReportRows.ts';
import { changeAction } from '../../../src/commands/plan/changeAction.ts';
import { generatePlan } from '../../../src/commands/plan/generatePlan.ts';
import { savePrompt } from '../../../src/commands/prompt/editPrompt.ts';
import { endSession } from '../../../src/commands/session/endSession.ts';
import { carryOutSessionsEnd, requestSessionsEnd } from '../../../src/commands/session/endSessions.ts';
import { refreshSession } from '../../../src/commands/session/refreshSession.ts';
import { startSession } from '../../../src/commands/session/startSession.ts';
import { createShare } from '../../../src/commands/share/createShare.ts';
import { recordShareVisits } from '../../../src/commands/share/recordShareVisits.ts';
import { revokeShare } from '../../../src/commands/share/revokeShare.ts';
import { rotateWebhookSecret } from '../../../src/commands/webhooks/webhooks.ts';
import { jobDeletionsDecider } from '../../../src/domain/job/deletions.ts';
import { jobDeletionsStream } from '../../../src/domain/job/events.ts';
import { planDecider } from '../../../src/domain/plan/decide.ts';
import { planStream } from '../../../src/domain/plan/events.ts';
import { isOf } from '../../../src/domain/stored/eventOf.ts';
import { createWebhookOutages } from '../../../src/work/followers/webhookOutages.ts';
import { actionItem } from '../analysis.ts';
import { decideOn, workOn } from '../audit/auditedJob.ts';
import { crashingStore, orCrash } from '../commands.ts';
import { FINDINGS } from '../finishedAnalysis.ts';
import { report } from '../found.ts';
import { still } from '../work/following.ts';
import { type Act, type History, live, of, type Steps, stepsWith, type World } from '../work/workHistory.ts';

const ITEMS = ['title-missing', 'gone', 'new'] as const;
/** What else the report of an audit says. */
const VERDICTS = [{}, { score: null, notJudged: 'refused' }, { score: 0, shut: true }] as const;
const VISITS = ['ShareViewed', 'SharePreviewViewed', 'ShareSignUpClicked', 'ShareSignedUp'] as const;

type Session = {
  readonly sessionId: string;
  readonly userId: string;
  readonly startPosition: string;
  readonly firstToken: string;
  refreshToken: string;
};

const as = ({ made }: World, userId: string): CommandContext =>
  made.context(null, made.store, { kind: 'user', id: userId });
const userAt = ({ users }: World, nth: number): string | null => {
  const { userId = '', gone = true } = of(users, nth) ?? {};
  return gone ? null : userId;
};

function counter(nameOf: (nth: number) => string): () => string {
  let nth = 0;
  return () => {
    nth += 1;
    return nameOf(nth);
  };
}

/** Logging in and out, keys, and abandoned sign-ups. */
function ofAccounts(): Readonly<Record<string, Act>> {
  const sessions: Session[] = [];
  const keys: { readonly keyId: string; readonly userId: string }[] = [];
  const abandoned: { readonly userId: string; readonly email: string }[] = [];
  const newToken = counter((nth) => String(nth).padStart(43, '0'));
  return {
    async signIn(world, nth) {
      const userId = userAt(world, nth);
      if (userId === null) return;
      const { sessionId, position, refreshToken } = await startSession(as(world, userId), { userId, newToken });
      sessions.push({ sessionId, userId, startPosition: position, firstToken: refreshToken, refreshToken });
    },
    async refresh({ made }, nth, how) {
      const session = of(sessions, nth);
      if (!session) return;
      const presented = how % 5 === 0 ? session.firstToken : session.refreshToken;
      session.refreshToken = (await refreshSession(made.context(), { refreshToken: presented, newToken })).refreshToken;
    },
    async signOut(world, nth) {
      const session = of(sessions, nth);
      if (session)
        await endSession(as(world, session.userId), {
          sessionId: session.sessionId,
          userId: session.userId,
          reason: 'logout',
        });
    },
    async signOutEverywhere(world, nth) {
      const userId = userAt(world, nth);
      if (userId === null) return;
      await requestSessionsEnd(as(world, userId), { userId, keptSessionId: null });
      await carryOutSessionsEnd(as(world, userId), {
        userId,
        list: async () => sessions.filter((each) => each.userId === userId),
      });
    },
    async createKey(world, nth) {
      const userId = userAt(world, nth);
      if (userId === null) return;
      const { keyId } = await createApiKey(as(world, userId), {
        userId,
        name: 'K',
        scope: 'read',
        expiresAt: null,
        newToken,
      });
      keys.push({ keyId, userId });
    },
    async useKey({ made }, nth) {
      const key = of(keys, nth);
      if (key) await noteApiKeyUse(made.context(), { keyId: key.keyId });
    },
    async revokeKey(world, nth) {
      const key = of(keys, nth);
      if (key) await revokeApiKey(as(world, key.userId), key);
    },
    async chooseMails(world, nth, how) {
      const userId = userAt(world, nth);
      if (userId !== null) await setMailChoice(as(world, userId), { userId, mail: 'job_done', wanted: how % 2 === 0 });
    },
    async lockOut(world, nth, how) {
      const userId = userAt(world, nth);
      if (userId !== null) await setSignIn(world.made.context(), { userId, enabled: how % 2 === 0 });
    },
    /** It dies before it has its address. */
    async abandonSignUp({ made }) {
      const email = `abandoned${abandoned.length}@example.com`;
      await orCrash(
        signUp(made.context(null, crashingStore(made.store, 2, 'before')), {
          email,
          name: 'Nobody',
          passwordHash: 'hash',
        }),
      );
      const registered = (await made.log()).findLast((event) => isOf(event, 'AccountRegistered'));
      if (registered && isOf(registered, 'AccountRegistered') && registered.data.email === email)
        abandoned.push({ userId: registered.data.userId, email });
    },
    async voidSignUp({ made }, nth) {
      const account = of(abandoned, nth);
      if (account) await voidAccount(made.context(), account);
    },
  };
}

/**
 * A job that its owner still sees: jobs deleted together are deleted one by one later, and until then only workers
 * touch them.
 */
const shownAt = ({ jobs, log }: World, nth: number): World['jobs'][number] | null => {
  const job = of(jobs, nth);
  return job && !log.some((event) => isOf(event, 'JobsDeleted') && event.data.jobIds.includes(job.id)) ? job : null;
};

/** Findings, plans, and shared links. */
function ofAnalyses(): Readonly<Record<string, Act>> {
  const shares: { readonly jobId: string; readonly shareId: string; readonly userId: string }[] = [];
  const write = async (
    { made }: World,
    { id: jobId, userId }: { readonly id: string; readonly userId: string },
  ): Promise<void> => {
    const parts = await packRecords([{ json: '{}', rows: 1 }]);
    const records = await writePageRecords(made.context(), { jobId, userId }, { pages: parts, links: parts });
    await writeReportRows(made.context(), { jobId, userId, report: report(), records: { ...records, allLinks: 1 } });
    await writeReportFile(made.context(), { jobId, userId, name: 'findings.json', text: FINDINGS });
    await generatePlan(made.context(), {
      jobId,
      userId,
      by: 'AI',
      items: ITEMS.slice(0, 2).map((id) => actionItem(id)),
    });
  };
  return {
    async write(world, nth) {
      const job = of(world.jobs, nth);
      if (job) await write(world, job);
    },
    /** All of it at once, since much depends on it. */
    async analyse(world, nth, how) {
      const job = of(world.jobs, nth);
      if (!job) return;
      await write(world, job);
      await workOn(world.made, job.id, undefined, VERDICTS[how % VERDICTS.length]);
      await decideOn(world.made, job.id, { type: 'CompleteJob', at: world.made.now() });
      await settleAnalysis(world.made.context(), { jobId: job.id });
      if (how % 4 === 0) await removePageRecords(world.made.context(), job.id);
    },
    async rewriteText({ made, jobs }, nth, how) {
      const job = of(jobs, nth);
      if (job)
        await rewriteReportFile(made.context(), {
          jobId: job.id,
          userId: job.userId,
          name: 'executive-summary.md',
          text: `Text ${how}`,
        });
    },
    async move(world, nth, how) {
      const job = shownAt(world, nth);
      if (!job) return;
      const status = (['in-progress', 'completed', 'todo'] as const)[how % 3] ?? 'todo';
      const noted = how % 4 === 0 ? { notes: `Note ${how}`, rating: 1 + (how % 5) } : {};
      await changeAction(as(world, job.userId), {
        type: 'ChangeAction',
        jobId: job.id,
        actionId: ITEMS[how % 2] ?? '',
        status,
        ...noted,
      });
    },
    async undoMove(world, nth, how) {
      const job = shownAt(world, nth);
      if (job)
        await changeAction(as(world, job.userId), { type: 'UndoMove', jobId: job.id, actionId: ITEMS[how % 2] ?? '' });
    },
    async verify({ made, jobs }, nth, how) {
      const job = of(jobs, nth);
      if (!job) return;
      const verification = {
        outcome: 'fixed',
        fixed: 1,
        stillThere: 0,
        notChecked: 0,
        stillThereAt: [],
        notCheckedAt: [],
      } as const;
      await changeAction(made.context(), {
        type: 'RecordVerification',
        jobId: job.id,
        actionId: ITEMS[how % 2] ?? '',
        verification,
      });
    },
    async rewritePlan({ made, jobs }, nth, how) {
      const job = of(jobs, nth);
      if (!job) return;
      const items = ITEMS.slice(how % 2, 2 + (how % 2)).map((id) => actionItem(id, { timeEstimate: 10 + how }));
      const command = {
        type: 'RegeneratePlan',
        jobId: job.id,
        userId: job.userId,
        by: 'AI',
        items,
        at: made.now(),
      } as const;
      await handle(made.context(), planDecider, planStream(job.id), command);
    },
    async share(world, nth, how) {
      const job = shownAt(world, nth);
      if (!job) return;
      const wishes = {
        description: '',
        sharedContent: ['actions'],
        expiresIn: how % 2 === 0 ? null : 24,
        secret: 'secret',
      } as const;
      const { shareId } = await createShare(as(world, job.userId), { jobId: job.id, userId: job.userId, ...wishes });
      shares.push({ jobId: job.id, shareId, userId: job.userId });
    },
    async visit({ made }, nth, how) {
      const link = of(shares, nth);
      if (link)
        await recordShareVisits(made.context(), {
          type: VISITS[how % 4] ?? 'ShareViewed',
          jobId: link.jobId,
          shareId: link.shareId,
          count: 1 + (how % 3),
        });
    },
    async revoke(world, nth) {
      const link = of(shares, nth);
      if (link) await revokeShare(as(world, link.userId), link);
    },
    /** Only the event; a follower deletes each of them later. */
    async deleteJobs(world, nth, how) {
      const userId = userAt(world, nth);
      const jobIds = world.jobs.flatMap((job) => (job.userId === userId ? [job.id] : [])).slice(0, 1 + (how % 4));
      if (userId === null || jobIds.length === 0) return;
      const command = { type: 'DeleteJobs', userId, jobIds, at: world.made.now() } as const;
      await handle(as(world, userId), jobDeletionsDecider, jobDeletionsStream(userId), command);
    },
    async carryOutDeletions({ made, log }) {
      const context = made.context(null, made.store, { kind: 'system', id: 'followers' });
      for (const event of log.filter((each) => isOf(each, 'JobsDeleted'))) {
        if (isOf(event, 'JobsDeleted')) await carryOutDeletions(context, event.data);
      }
    },
    async savePrompt({ made }, _nth, how) {
      const saved = {
        name: 'N',
        description: '',
        content: `Text ${how}`,
        active: how % 2 === 0,
        note: null,
        basedOn: null,
        adminId: 'admin',
      };
      await savePrompt(made.context(), { key: 'summary', ...saved });
    },
  };
}

/** Secrets of webhooks, and the effects of delivery attempts. */
function ofWebhooks(): Readonly<Record<string, Act>> {
  const newToken = counter((nth) => `secret ${nth}`);
  let followed = 0;
  return {
    async rotateSecret(world, nth, how) {
      const endpoint = of(world.endpoints, nth);
      if (!endpoint) return;
      await rotateWebhookSecret(as(world, endpoint.userId), {
        userId: endpoint.userId,
        endpointId: endpoint.id,
        keepFormer: how % 2 === 0,
        newToken,
      });
    },
    async noteOutages({ made, log }) {
      const follower = createWebhookOutages({ context: (cause) => made.context(cause) });
      const tries = log.slice(followed).filter(({ type }) => type === 'WebhookTried');
      followed = log.length;
      for (const event of tries) await follower.follow(event, still);
    },
  };
}

const createActs = (): Readonly<Record<string, Act>> => ({ ...ofAccounts(), ...ofAnalyses(), ...ofWebhooks() });

/** More frequent acts: those that many others depend on. */
const OFTEN = [
  'submit',
  'submit',
  'analyse',
  'analyse',
  'share',
  'signIn',
  'addWebhook',
  'queue',
  'startTry',
  'answerTry',
  'answerTry',
  'noteOutages',
  'forget',
  'pass',
  'pass',
];

export const stepsOfLives = (maxLength: number): fc.Arbitrary<Steps> =>
  stepsWith([...Object.keys(createActs()), ...OFTEN], maxLength);

/** With every event that was ever in the log, including erased ones. */
export const lived = (todo: Steps): Promise<History> => live(todo, createActs());
