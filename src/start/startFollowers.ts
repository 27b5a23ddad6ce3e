/** Work triggered by single events, and periodic work: done by one process at a time, the leader. */
import { setMaxListeners } from 'node:events';
import { actionItemsMarkdown } from '../audit/report/actionItemsMarkdown.ts';
import type { ContextOf } from '../commands/context.ts';
import { type Leadership, whileLeading } from '../readModels/leadership.ts';
import { REPORTS } from '../reports/all.ts';
import { savedKinds } from '../reports/state/savedStates.ts';
import type { Follower } from '../work/follower.ts';
import { type FollowerLag, measureFollowerLag } from '../work/followerLag.ts';
import { createFollowers as createAllFollowers } from '../work/followers/all.ts';
import { setFollowUpAside } from '../work/kinds/followUp.ts';
import { failureOf } from '../work/performer.ts';
import { WORK_RULES } from '../work/rules.ts';
import { followerMark, type RunningFollowers, runFollowers } from '../work/runFollowers.ts';
import { runSweeps } from '../work/runSweeps.ts';
import { createSweeps } from '../work/sweeps/all.ts';
import { dailyVerification } from './proof/dailyVerification.ts';
import { newestCheckpoint } from './proof/newestCheckpoint.ts';
import { sleep } from './sleep.ts';
import type { WorkerParts } from './workerParts.ts';

/** Its holder runs the followers and sweeps. */
const FOLLOWERS_LEASE = 'followers';

type Parts = Pick<
  WorkerParts,
  | 'config'
  | 'log'
  | 'store'
  | 'storedLog'
  | 'readModels'
  | 'claims'
  | 'snapshots'
  | 'marks'
  | 'leases'
  | 'mailer'
  | 'payments'
  | 'appUrl'
  | 'context'
  | 'now'
  | 'problems'
>;

const contextOf =
  (parts: Parts, id: string): ContextOf =>
  (cause) =>
    parts.context({ kind: 'system', id }, cause);

export function createFollowers(parts: Parts): readonly Follower[] {
  const { config, store, readModels, snapshots, mailer, payments, appUrl } = parts;
  return createAllFollowers({
    store,
    readModels,
    snapshots,
    mailer,
    payments,
    appUrl,
    itemsFile: actionItemsMarkdown,
    recordsRuns: config.PAGE_RECORDS_RUNS,
    adminEmail: config.ADMIN_EMAIL,
    context: contextOf(parts, 'followers'),
  });
}

export type Following = {
  /** How far each follower lags behind, whichever process leads. */
  lag(): Promise<readonly FollowerLag[]>;
  /** Resolves when the signal has aborted and all have ended. */
  readonly done: Promise<void>;
};

export function startFollowers(
  parts: Parts,
  followers: readonly Follower[],
  { owner, signal }: { readonly owner: string; readonly signal: AbortSignal },
): Following {
  const {
    config,
    store,
    storedLog,
    readModels,
    claims,
    snapshots,
    marks,
    leases,
    mailer,
    payments,
    problems,
    appUrl,
    log,
    now,
  } = parts;
  const context = contextOf(parts, 'followers');
  const sweeps = createSweeps({
    readModels,
    marks,
    claims,
    snapshots,
    mailer,
    payments,
    problems,
    appUrl,
    adminEmail: config.ADMIN_EMAIL,
    keptDays: config.TALLY_DAYS,
    reportKinds: savedKinds(store, REPORTS),
    verifyStep: dailyVerification({ storedLog, proof: (turn) => newestCheckpoint(config, turn) }),
    context: contextOf(parts, 'sweeps'),
    kinds: WORK_RULES.map(({ kind }) => kind),
  });
  let leading: RunningFollowers | null = null;

  async function lead(ending: AbortSignal): Promise<void> {
    // Every follower and sweep adds a listener, and so does everything they wait for.
    setMaxListeners(0, ending);
    const common = { marks, signal: ending, now, sleep, log };
    leading = runFollowers({
      ...common,
      followers,
      store,
      setAside: (follower, event, error) => setFollowUpAside(context(event), follower.name, event, failureOf(error)),
    });
    const sweeping = runSweeps({ ...common, sweeps });
    await Promise.all([leading.done, sweeping.done]);
    leading = null;
  }

  const leadership: Leadership | null = leases
    ? whileLeading({ leases, name: FOLLOWERS_LEASE, owner, signal, log }, lead)
    : null;
  return {
    lag: () =>
      leading?.lag() ??
      measureFollowerLag(
        { store, followers, positionOf: ({ name }) => marks.read(followerMark(name)) },
        Date.parse(now()),
      ),
    done: leadership?.done ?? lead(signal),
  };
}
