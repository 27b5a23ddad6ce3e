/** The followers, with the read models that each needs. */
import { MODELS_OF_ACCOUNT_PARTS } from '../../commands/account/accountParts.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { FollowUp } from '../../commands/plan/followUp.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { Mailer } from '../../integrations/mailer/mailer.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import { isReserved } from '../../projections/billing.ts';
import { documentsOf, ownedNames } from '../../projections/owned.ts';
import { olderRuns } from '../../projections/pageRecords.ts';
import { areProgramsAllowed } from '../../projections/planAccess.ts';
import { listActiveSequences } from '../../projections/sequences/sequences.ts';
import type { SessionDocument } from '../../projections/sessions.ts';
import { deliveriesOf } from '../../projections/webhookDeliveries.ts';
import { MODELS_OF_FACTS, webhookFacts } from '../../projections/webhookFacts.ts';
import { getWebhook } from '../../projections/webhooks.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Snapshots } from '../../readModels/snapshots.ts';
import type { Follower } from '../follower.ts';
import { gathered, type ReadAsOf, readAsOf } from '../known.ts';
import { createAddressChanges } from './addressChanges.ts';
import { createAnalystKeys } from './analystKeys.ts';
import { createAnnouncements } from './announcements.ts';
import { createCrawlData } from './crawlData.ts';
import { createDeletedAccounts } from './deletedAccounts.ts';
import { createDeletedJobs } from './deletedJobs.ts';
import { createEndedSessions } from './endedSessions.ts';
import { createFailingWebhooks } from './failingWebhooks.ts';
import { createFinishedSignUps } from './finishedSignUps.ts';
import { createForgottenCustomers } from './forgottenCustomers.ts';
import { createFormerAccess } from './formerAccess.ts';
import { createMadeCustomers } from './madeCustomers.ts';
import { createOlderPageRecords } from './olderPageRecords.ts';
import { createPlanFiles } from './planFiles.ts';
import { createRemovedWebhooks } from './removedWebhooks.ts';
import { createSequenceEnrolments } from './sequenceEnrolments.ts';
import { createSequenceSteps } from './sequenceSteps.ts';
import { createSequenceStops } from './sequenceStops.ts';
import { createSettledAnalyses } from './settledAnalyses.ts';
import { createTruncations } from './truncations.ts';
import { createUnlockedJobs } from './unlockedJobs.ts';
import { createWebhookOutages } from './webhookOutages.ts';

export type FollowerParts = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly snapshots: Pick<Snapshots, 'remove'>;
  readonly context: ContextOf;
  /** Null: this installation sends no email. */
  readonly mailer: Pick<Mailer, 'forget'> | null;
  /** Null: nothing is sold here. */
  readonly payments: Payments | null;
  /** As in `signUp`. */
  readonly adminEmail: string | undefined;
  /** Public URL, for links in messages. */
  readonly appUrl: string;
  readonly itemsFile: FollowUp['itemsFile'];
  /** Newest audits of a site that keep the records of their pages; 0 for all. */
  readonly recordsRuns: number;
};

/** How long to wait for read models at a time, ms. */
const TIMEOUT_MS = 5_000;

export function createFollowers(parts: FollowerParts): readonly Follower[] {
  const { store, readModels, snapshots, context, mailer, payments, adminEmail, appUrl, itemsFile, recordsRuns } = parts;
  const knowing = (models: readonly string[]): ReadAsOf => readAsOf(readModels, models, TIMEOUT_MS);
  return [
    createAddressChanges({ context }),
    createAnalystKeys({ context }),
    createAnnouncements({
      context,
      asOf: knowing(MODELS_OF_FACTS),
      factsOf: (event) => webhookFacts(readModels, appUrl, event),
      isAllowed: async (of) => !payments || areProgramsAllowed(readModels, of),
    }),
    createCrawlData({ store }),
    createDeletedAccounts({
      context,
      owned: (...of) => ownedNames(readModels, ...of),
      asOf: knowing(MODELS_OF_ACCOUNT_PARTS),
      mailer,
      snapshots,
    }),
    createDeletedJobs({ context }),
    createEndedSessions({
      context,
      asOf: knowing(['sessions']),
      openSessions: async (userId) =>
        (await gathered(documentsOf<SessionDocument>(readModels, 'sessions', { userId, isOpen: true }))).map(
          ({ data }) => data,
        ),
    }),
    createFailingWebhooks({
      context,
      asOf: knowing(['webhooks']),
      arrivedSince: async (endpointId, at) =>
        ((await getWebhook(readModels, endpointId))?.data.last_success_at ?? '') > at,
    }),
    createFinishedSignUps({ context, adminEmail }),
    createForgottenCustomers({ context, payments }),
    createFormerAccess({ context }),
    createMadeCustomers({ context, payments }),
    createOlderPageRecords({
      context,
      asOf: knowing(['jobs']),
      olderRuns: (jobId) => olderRuns(readModels, jobId, recordsRuns),
    }),
    createPlanFiles({ context, itemsFile }),
    createRemovedWebhooks({
      context,
      asOf: knowing(['webhookDeliveries']),
      deliveriesOf: (endpointId) => gathered(deliveriesOf(readModels, endpointId)),
    }),
    createSequenceEnrolments({
      context,
      asOf: knowing(['sequences']),
      activeSequences: (trigger) => listActiveSequences(readModels, trigger),
    }),
    createSequenceSteps({ context }),
    createSequenceStops({ context }),
    createSettledAnalyses({
      context,
      asOf: knowing(['billing']),
      isReserved: (jobId) => isReserved(readModels, jobId),
    }),
    createTruncations({ store }),
    createUnlockedJobs({ context }),
    createWebhookOutages({ context }),
  ];
}
