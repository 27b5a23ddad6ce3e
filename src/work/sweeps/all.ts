/** The sweeps, with the read models that each needs. */
import { MODELS_OF_ACCOUNT_PARTS } from '../../commands/account/accountParts.ts';
import type { ContextOf } from '../../commands/context.ts';
import { type SnapshotKind, snapshotKinds } from '../../commands/snapshots/kinds.ts';
import type { Mailer } from '../../integrations/mailer/mailer.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import { listIdleReservations } from '../../projections/billing.ts';
import { listExpiredExports } from '../../projections/exports/accountExports.ts';
import { ownedNames } from '../../projections/owned.ts';
import { listEndedTrials } from '../../projections/promptTrials.ts';
import { listQuiet } from '../../projections/sequences/sequenceRecipients.ts';
import { listActiveSequences } from '../../projections/sequences/sequences.ts';
import { listSettledDeliveries } from '../../projections/webhookDeliveries.ts';
import type { Claims, Marks } from '../../readModels/claims.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Snapshots } from '../../readModels/snapshots.ts';
import { readAsOf } from '../known.ts';
import type { Sweep } from '../sweep.ts';
import { type AlertsDeps, createAlerts } from './alerts.ts';
import { createInactiveUsers } from './inactiveUsers.ts';
import { createLateWrites } from './lateWrites.ts';
import { createLostReservations } from './lostReservations.ts';
import { createMissedProviderEvents } from './missedProviderEvents.ts';
import { createOldAccountExports } from './oldAccountExports.ts';
import { createOldDeliveries } from './oldDeliveries.ts';
import { createOldNetworkKeys } from './oldNetworkKeys.ts';
import { createOldPromptTrials } from './oldPromptTrials.ts';
import { createOldTallies } from './oldTallies.ts';
import { createOrphanedClaims } from './orphanedClaims.ts';
import { createOrphanedSnapshots } from './orphanedSnapshots.ts';
import { createRequestKeys } from './requestKeys.ts';
import { createSeededSequences } from './seededSequences.ts';
import { createUnfinishedSignUps } from './unfinishedSignUps.ts';
import { createUnsettledReservations } from './unsettledReservations.ts';
import { createVerifiedLog, type VerifyStep } from './verifiedLog.ts';

export type SweepParts = {
  readonly readModels: ReadModels;
  readonly claims: Claims;
  readonly marks: Marks;
  readonly snapshots: Snapshots;
  /** The kinds of snapshots kept by reports. */
  readonly reportKinds: readonly SnapshotKind[];
  /** The kinds of work that may have claims. */
  readonly kinds: readonly string[];
  readonly context: ContextOf;
  /** Null: this installation sends no email. */
  readonly mailer: Pick<Mailer, 'forget' | 'send'> | null;
  /** Null: nothing is sold here. */
  readonly payments: Payments | null;
  readonly verifyStep: VerifyStep;
  /** Of tallies. */
  readonly keptDays: number;
} & Pick<AlertsDeps, 'problems' | 'adminEmail' | 'appUrl'>;

/** How long to wait for read models at a time, ms. */
const TIMEOUT_MS = 5_000;
const QUIET_AT_ONCE = 200;

export function createSweeps(parts: SweepParts): readonly Sweep[] {
  const {
    readModels,
    claims,
    marks,
    snapshots,
    reportKinds,
    kinds,
    context,
    mailer,
    payments,
    verifyStep,
    keptDays,
    problems,
    adminEmail,
    appUrl,
  } = parts;
  const knowing = (models: readonly string[]) => (position: string) => readModels.reached(models, position, TIMEOUT_MS);
  return [
    createInactiveUsers({
      context,
      asOf: readAsOf(readModels, ['sequences', 'sequenceRecipients'], TIMEOUT_MS),
      activeSequences: () => listActiveSequences(readModels, 'inactive_14_days'),
      listQuiet: async (range, cursor) => {
        const page = await listQuiet(readModels, {
          ...range,
          limit: QUIET_AT_ONCE,
          ...(cursor === null ? {} : { cursor }),
        });
        return { users: page.documents.map(({ data }) => data), cursor: page.cursor };
      },
    }),
    createAlerts({ problems, mailer, adminEmail, appUrl, now: () => context(null).now() }),
    createLateWrites({
      context,
      owned: (...of) => ownedNames(readModels, ...of),
      asOf: readAsOf(readModels, MODELS_OF_ACCOUNT_PARTS, TIMEOUT_MS),
      mailer,
    }),
    createLostReservations({ context }),
    createMissedProviderEvents({ context, payments }),
    createOldAccountExports({
      context,
      listExpired: (now, limit) => listExpiredExports(readModels, now, limit),
      reached: knowing(['accountExports']),
    }),
    createOldDeliveries({
      context,
      listSettled: (before, limit) => listSettledDeliveries(readModels, before, limit),
      reached: knowing(['webhookDeliveries']),
    }),
    createOldNetworkKeys({ marks, now: () => context(null).now() }),
    createOldPromptTrials({
      context,
      listEnded: (before, limit) => listEndedTrials(readModels, before, limit),
      reached: knowing(['promptTrials']),
    }),
    createOldTallies({ context, keptDays }),
    createOrphanedClaims({ readModels, claims, kinds }),
    createOrphanedSnapshots({ snapshots, kinds: [...snapshotKinds(context(null).store), ...reportKinds] }),
    createRequestKeys({ context }),
    createSeededSequences({ context }),
    createUnfinishedSignUps({ context }),
    createUnsettledReservations({ context, listIdle: (cursor) => listIdleReservations(readModels, cursor) }),
    createVerifiedLog({ verifyStep, head: () => context(null).store.head(), now: () => context(null).now() }),
  ];
}
