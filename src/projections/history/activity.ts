/**
 * What a user did, and what was done to what is theirs, as they are told of it: where each event of it stands. What it says is read from the log: of
 * what was erased there, nothing is left to tell, and where it stood goes with it.
 */
import { sharesStream } from '../../domain/share/share.ts';
import { type EventOf, type EventType, isOf } from '../../domain/stored/eventOf.ts';
import { userOf } from '../../domain/stored/metadata.ts';
import type { Recorded, RecordedEvent } from '../../eventStore/eventStore.ts';
import type { Page, ReadModels } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export type ActivityDocument = { readonly userId: string; readonly stream: string; readonly revision: number };

const SHOWN = [
  ...(['AccountRegistered', 'AccountPasswordChanged', 'PasswordResetAsked', 'AccountEmailChanged', 'AccountEmailConfirmed', 'AccountEmailLost'] as const),
  ...(['AccountMailChoiceSet', 'AccountAdminGranted', 'AccountAdminRevoked', 'AccountDisabled', 'AccountEnabled'] as const),
  ...(['SessionStarted', 'SessionEnded', 'AccountSessionsEnded', 'SecondFactorEnabled', 'RecoveryCodeUsed', 'SecondFactorRemoved'] as const),
  ...(['ApiKeyCreated', 'ApiKeyRevoked', 'WebhookAdded', 'WebhookEnabled', 'WebhookDisabled', 'WebhookRemoved', 'ShareCreated', 'ShareRevoked'] as const),
  ...(['FundsAdded', 'CreditsGranted', 'UnlockPaid', 'PaymentRefunded', 'DisputeOpened', 'DisputeWon', 'DisputeLost'] as const),
  ...(['SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionChangeScheduled', 'SubscriptionChangeUndone', 'SubscriptionRenewed'] as const),
  ...(['SubscriptionPaymentFailed', 'SubscriptionCancelScheduled', 'SubscriptionReactivated', 'SubscriptionEnded'] as const),
  ...(['JobSubmitted', 'JobCancelled', 'JobDeleted', 'JobsDeleted', 'AdminLooked'] as const),
] as const satisfies readonly EventType[];

export type ActivityType = (typeof SHOWN)[number];
export type ActivityEvent = EventOf<ActivityType>;

/** With which the account is gone, or never came to be. */
const ENDS = ['AccountDeleted', 'EmailRefused'] as const satisfies readonly EventType[];
type TakenEvent = ActivityEvent | EventOf<(typeof ENDS)[number]>;

const isEnd = (event: Recorded<TakenEvent>): event is Recorded<EventOf<(typeof ENDS)[number]>> => ENDS.some((type) => type === event.type);

export const isActivity = (event: RecordedEvent): event is Recorded<ActivityEvent> => isOf(event, ...SHOWN);

/** Of these only what an admin did for the user: their own are in the list of jobs. */
const BY_ADMIN: ReadonlySet<ActivityType> = new Set(['JobSubmitted', 'JobCancelled']);
/** One command may write many of these: they are one thing that was done. */
const TOGETHER: Readonly<Partial<Record<ActivityType, string>>> = {
  AccountSessionsEnded: 'sessions',
  SessionEnded: 'sessions',
  JobsDeleted: 'jobs',
  JobDeleted: 'jobs',
};

export const activity: Projection<ActivityDocument, TakenEvent> = {
  name: 'activity',
  version: 2,
  indexes: [['userId', 'position'], ['stream']],
  isBulky: true,
  handles: [...SHOWN, ...ENDS],
  keys: (event) => {
    if (isEnd(event)) return [];
    const group = TOGETHER[event.type];
    return [group === undefined ? event.id : `${event.metadata.causationId}/${group}`];
  },
  evolve(document, event) {
    if (document || isEnd(event)) return document;
    const userId = ownerOf(event);
    return userId === null || !isShown(event) ? null : { userId, stream: event.stream, revision: Number(event.revision) };
  },
  deletes: (event) => {
    if (isEnd(event)) return { field: 'userId', values: [event.data.userId] };
    return event.type === 'JobDeleted' ? { field: 'stream', values: [event.stream, sharesStream(event.data.jobId)] } : null;
  },
};

function isShown({ type, metadata: { actor } }: Recorded<ActivityEvent>): boolean {
  if (BY_ADMIN.has(type)) return actor.kind === 'admin';
  // What follows from an order or a deletion, which is told by itself.
  return TOGETHER[type] === undefined || actor.kind !== 'system';
}

/** A link is revoked, a job cancelled by somebody for somebody: their data name no user. */
function ownerOf({ data, metadata }: Recorded<ActivityEvent>): string | null {
  return ('userId' in data ? data.userId : undefined) ?? userOf(metadata.actor);
}

/** A user's, the newest first. */
export function listActivity(
  readModels: Pick<ReadModels, 'find'>,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<ActivityDocument>> {
  return readModels.find('activity', { where: { userId }, sort: [['position', 'desc']], limit, ...(cursor === undefined ? {} : { cursor }) });
}
