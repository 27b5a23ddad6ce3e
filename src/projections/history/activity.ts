/**
 * A user's activity, and what others did to their data, as shown to them: the location of each event. Contents are read
 * from the log; when they are erased there, the location is removed, too.
 */
import { sharesStream } from '../../domain/share/events.ts';
import { type EventOf, type EventType, isOf } from '../../domain/stored/eventOf.ts';
import { userOf } from '../../domain/stored/metadata.ts';
import type { Recorded, RecordedEvent } from '../../eventStore/eventStore.ts';
import type { Page, ReadModels } from '../../readModels/readModels.ts';
import { each, projection } from '../projection.ts';

export type ActivityDocument = { readonly userId: string; readonly stream: string; readonly revision: number };

const SHOWN = [
  'AccountRegistered',
  'AccountPasswordChanged',
  'AccountPasswordRemoved',
  'PasswordResetAsked',
  'AccountEmailChanged',
  'AccountEmailConfirmed',
  'AccountEmailLost',
  'AccountMailChoiceSet',
  'AccountAdminGranted',
  'AccountAdminRevoked',
  'AccountDisabled',
  'AccountEnabled',
  'SessionStarted',
  'SessionEnded',
  'AccountSessionsEnded',
  'SecondFactorEnabled',
  'RecoveryCodeUsed',
  'SecondFactorRemoved',
  'PasskeyAdded',
  'PasskeyRemoved',
  'IdentityLinked',
  'IdentityUnlinked',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'WebhookAdded',
  'WebhookEnabled',
  'WebhookDisabled',
  'WebhookRemoved',
  'ShareCreated',
  'ShareRevoked',
  'FundsAdded',
  'CreditsGranted',
  'UnlockPaid',
  'PaymentRefunded',
  'DisputeOpened',
  'DisputeWon',
  'DisputeLost',
  'SubscriptionStarted',
  'SubscriptionChanged',
  'SubscriptionChangeScheduled',
  'SubscriptionChangeUndone',
  'SubscriptionRenewed',
  'SubscriptionPaymentFailed',
  'SubscriptionCancelScheduled',
  'SubscriptionReactivated',
  'SubscriptionSuspended',
  'SubscriptionResumed',
  'SubscriptionEnded',
  'JobSubmitted',
  'JobCancelled',
  'JobDeleted',
  'JobsDeleted',
  'AdminLooked',
  'EventsExported',
] as const satisfies readonly EventType[];

export type ActivityType = (typeof SHOWN)[number];
export type ActivityEvent = EventOf<ActivityType>;

/** Events that mean the account is gone, or never came into being. */
const ENDS = ['AccountDeleted', 'EmailRefused'] as const satisfies readonly EventType[];

export const isActivity = (event: RecordedEvent): event is Recorded<ActivityEvent> => isOf(event, ...SHOWN);

/** Only listed when done by an admin on the user's behalf: the user's own are in the list of jobs. */
const BY_ADMIN: ReadonlySet<ActivityType> = new Set(['JobSubmitted', 'JobCancelled']);
/** One command may write many of these; they are listed as one activity. */
const TOGETHER: Readonly<Partial<Record<ActivityType, string>>> = {
  AccountSessionsEnded: 'sessions',
  SessionEnded: 'sessions',
  JobsDeleted: 'jobs',
  JobDeleted: 'jobs',
};

export const activity = projection<ActivityDocument>()({
  name: 'activity',
  version: 3,
  indexes: [['userId', 'position'], ['stream']],
  isBulky: true,
  keys: (event) => {
    if (isOf(event, ...ENDS)) return [];
    const group = TOGETHER[event.type];
    return [group === undefined ? event.id : `${event.metadata.causationId}/${group}`];
  },
  on: {
    ...each(SHOWN, (document: ActivityDocument | null, event) => {
      if (document) return document;
      const userId = ownerOf(event);
      return userId === null || !isShown(event)
        ? null
        : { userId, stream: event.stream, revision: Number(event.revision) };
    }),
    ...each(ENDS, (document: ActivityDocument | null) => document),
  },
  deletes: (event) => {
    if (isOf(event, ...ENDS)) return { field: 'userId', values: [event.data.userId] };
    return event.type === 'JobDeleted'
      ? { field: 'stream', values: [event.stream, sharesStream(event.data.jobId)] }
      : null;
  },
});

function isShown({ type, metadata: { actor } }: Recorded<ActivityEvent>): boolean {
  if (BY_ADMIN.has(type)) return actor.kind === 'admin';
  // Consequences of an order or a deletion, which has its own entry.
  return TOGETHER[type] === undefined || actor.kind !== 'system';
}

/** Events such as a revoked link or a cancelled job name no user; the actor's metadata does. */
function ownerOf({ data, metadata }: Recorded<ActivityEvent>): string | null {
  return ('userId' in data ? data.userId : undefined) ?? userOf(metadata.actor);
}

/** A user's activity, newest first. */
export function listActivity(
  readModels: Pick<ReadModels, 'find'>,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<ActivityDocument>> {
  return readModels.find('activity', {
    where: { userId },
    sort: [['position', 'desc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}
