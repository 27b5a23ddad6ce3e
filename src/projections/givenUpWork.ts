/**
 * Work that was given up, for operators: kept until it is run again, dropped, or what it was about is erased. Events
 * that give something up name little of it, so what opens the work is noted, too, and forgotten once it is done.
 */
import { type DataOf, type EventOf, type EventType, isOf } from '../domain/stored/eventOf.ts';
import type { Actor } from '../domain/stored/metadata.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import { type Deletes, each, projection } from './projection.ts';

export type GivenUpDocument = {
  readonly kind: string;
  readonly itemId: string;
  /**
   * The host of an audit, the kind of an email, the type of an event, the part of an audit or the step of a sequence.
   * Null if no event said.
   */
  readonly about: string | null;
  /** Null if it is nobody's, or if no event said whose. */
  readonly ownerId: string | null;
  readonly jobId: string | null;
  /** The webhook, sequence or follower it belongs to. */
  readonly partOf: string | null;
  /** Attempts begun; null if the log does not count them. */
  readonly attempts: number | null;
  /** A code or a sentence. `dropped`: by an operator. */
  readonly reason: string | null;
  /** Its own stream. */
  readonly stream: string;
  /** UTC ISO; null while it is pending. */
  readonly givenUpAt: string | null;
};

type Item = Pick<GivenUpDocument, 'kind' | 'itemId'>;
type Facts = Partial<Pick<GivenUpDocument, 'about' | 'ownerId' | 'jobId' | 'partOf'>>;

/**
 * What an event means for one item. `opened`: pending, for the first time or again. `tried`: attempt number `attempt`,
 * or one more.
 */
type Step = Item &
  (
    | { readonly step: 'opened'; readonly attempt?: number; readonly facts: Facts }
    | { readonly step: 'tried'; readonly attempt?: number; readonly facts: Facts }
    | { readonly step: 'givenUp'; readonly reason: string; readonly attempt?: number; readonly facts: Facts }
    | { readonly step: 'over' }
    | { readonly step: 'dropped' }
  );

const over = (kind: string, itemId: string): readonly Step[] => [{ kind, itemId, step: 'over' }];

type Asked = { readonly reworkId: string; readonly jobId: string; readonly userId: string };

function reworkAsked({ reworkId: itemId, jobId, userId: ownerId }: Asked, about: string): readonly Step[] {
  return [{ kind: 'rework', itemId, step: 'opened', facts: { about, ownerId, jobId } }];
}

/** The code of audits that were given up; all others say something about the site. */
const INTERNAL_FAILURE = 'INTERNAL';
/** Failures that are not ours are answers: a site that could not be reached, a model that did not answer. */
const GIVEN_UP = 'GIVEN_UP';
/** A refused address is no work to run again: it is listed with the emails. */
const isGivenUpReason = (reason: string): boolean => reason === 'given_up' || reason === 'too_old';

/** What each event means, for every item that it is about. */
const STEPS = {
  JobSubmitted: ({ jobId, userId: ownerId, host: about, retryOf }) => [
    { kind: 'audit', itemId: jobId, step: 'opened', facts: { about, ownerId, jobId } },
    ...(retryOf === undefined ? [] : over('audit', retryOf)),
  ],
  // The first one changes nothing.
  JobStarted: ({ jobId, attempt, afterSlowSite }) =>
    attempt > 1 && !afterSlowSite ? [{ kind: 'audit', itemId: jobId, step: 'tried', attempt, facts: {} }] : [],
  JobCompleted: ({ jobId }) => over('audit', jobId),
  JobPartiallyCompleted: ({ jobId }) => over('audit', jobId),
  JobPartiallySucceeded: ({ jobId }) => over('audit', jobId),
  JobCancelled: ({ jobId }) => over('audit', jobId),
  JobFailed: ({ jobId, code, reason }) =>
    code === INTERNAL_FAILURE
      ? [{ kind: 'audit', itemId: jobId, step: 'givenUp', reason, facts: { jobId } }]
      : over('audit', jobId),

  PlanRegenerationAsked: (data) => reworkAsked(data, 'plan'),
  SummaryAsked: (data) => reworkAsked(data, 'summary'),
  VerificationAsked: (data) => reworkAsked(data, 'verification'),
  ReworkStarted: ({ reworkId: itemId, jobId, userId: ownerId }) => [
    { kind: 'rework', itemId, step: 'tried', facts: { ownerId, jobId } },
  ],
  ReworkDone: ({ reworkId }) => over('rework', reworkId),
  ReworkGivenUp: ({ reworkId: itemId, jobId, userId: ownerId, code, reason }) =>
    code === GIVEN_UP
      ? [{ kind: 'rework', itemId, step: 'givenUp', reason, facts: { ownerId, jobId } }]
      : over('rework', itemId),

  PromptTrialAsked: ({ jobId, adminId: ownerId, key: about }) => [
    { kind: 'promptTrial', itemId: jobId, step: 'opened', facts: { about, ownerId, jobId } },
  ],
  PromptTrialStarted: ({ jobId, adminId: ownerId }) => [
    { kind: 'promptTrial', itemId: jobId, step: 'tried', facts: { ownerId, jobId } },
  ],
  PromptTrialAnswered: ({ jobId }) => over('promptTrial', jobId),
  PromptTrialGivenUp: ({ jobId, adminId: ownerId, code, reason }) =>
    code === GIVEN_UP
      ? [{ kind: 'promptTrial', itemId: jobId, step: 'givenUp', reason, facts: { ownerId, jobId } }]
      : over('promptTrial', jobId),
  PromptTrialForgotten: ({ jobId }) => over('promptTrial', jobId),

  MailPrepared: ({ mailId, userId: ownerId, kind: about, attempt = 1 }) => {
    const isFirst = attempt <= 1 || about === 'sequence';
    return isFirst ? [] : [{ kind: 'mail', itemId: mailId, step: 'tried', attempt, facts: { about, ownerId } }];
  },
  MailSent: ({ mailId }) => over('mail', mailId),
  MailDropped: ({ mailId: itemId, userId: ownerId, kind: about, reason }) =>
    isGivenUpReason(reason)
      ? [{ kind: 'mail', itemId, step: 'givenUp', reason, facts: { about, ownerId } }]
      : over('mail', itemId),
  MailRequeued: ({ mailId }) => over('mail', mailId),

  SequenceMailSent: ({ mailId }) => over('sequenceMail', mailId),
  SequenceMailFailed: ({ mailId: itemId, userId: ownerId, sequenceId: partOf, stepNumber, reason }) =>
    isGivenUpReason(reason)
      ? [
          {
            kind: 'sequenceMail',
            itemId,
            step: 'givenUp',
            reason,
            facts: { about: String(stepNumber), ownerId, partOf },
          },
        ]
      : over('sequenceMail', itemId),
  SequenceMailSkipped: ({ mailId }) => over('sequenceMail', mailId),
  SequenceMailRequeued: ({ mailId }) => over('sequenceMail', mailId),

  WebhookQueued: ({ deliveryId: itemId, userId: ownerId, endpointId: partOf, event: about }) => [
    { kind: 'webhook', itemId, step: 'opened', facts: { about, ownerId, partOf } },
  ],
  WebhookTried: ({ deliveryId: itemId, endpointId: partOf, ok, nextTryAt, attempt, status, error }) => {
    if (ok) return over('webhook', itemId);
    const reason = error ?? (status === null ? 'No answer' : `Answered ${status}`);
    return nextTryAt === null ? [{ kind: 'webhook', itemId, step: 'givenUp', reason, attempt, facts: { partOf } }] : [];
  },
  WebhookRequeued: ({ deliveryId: itemId, userId: ownerId, endpointId: partOf }) => [
    { kind: 'webhook', itemId, step: 'opened', facts: { partOf, ...(ownerId === undefined ? {} : { ownerId }) } },
  ],
  WebhookForgotten: ({ deliveryId }) => over('webhook', deliveryId),

  AccountExportRequested: ({ userId: ownerId }) => [
    { kind: 'accountExport', itemId: ownerId, step: 'opened', facts: { ownerId } },
  ],
  AccountExportStarted: ({ userId: ownerId, attempt }) => [
    { kind: 'accountExport', itemId: ownerId, step: 'tried', attempt, facts: { ownerId } },
  ],
  AccountExportReady: ({ userId }) => over('accountExport', userId),
  AccountExportFailed: ({ userId: ownerId, reason }) => [
    { kind: 'accountExport', itemId: ownerId, step: 'givenUp', reason, facts: { ownerId } },
  ],
  AccountExportRemoved: ({ userId }) => over('accountExport', userId),

  ProviderEventReceived: ({ eventId: itemId, eventType: about }) => [
    { kind: 'providerEvent', itemId, step: 'opened', facts: { about } },
  ],
  ProviderEventApplied: ({ eventId }) => over('providerEvent', eventId),
  ProviderEventIgnored: ({ eventId: itemId, reason }) =>
    reason === 'given_up'
      ? [{ kind: 'providerEvent', itemId, step: 'givenUp', reason, facts: {} }]
      : over('providerEvent', itemId),
  ProviderEventRequeued: ({ eventId: itemId }) => [{ kind: 'providerEvent', itemId, step: 'opened', facts: {} }],

  FollowUpSetAside: ({ followUpId: itemId, follower: partOf, eventType, error }) => [
    { kind: 'followUp', itemId, step: 'opened', facts: { about: `${eventType} (${error})`, partOf } },
  ],
  FollowUpDone: ({ followUpId }) => over('followUp', followUpId),
  FollowUpDropped: ({ followUpId: itemId, reason }) =>
    reason === 'dropped'
      ? [{ kind: 'followUp', itemId, step: 'givenUp', reason: 'given_up', facts: {} }]
      : over('followUp', itemId),
  FollowUpRequeued: ({ followUpId: itemId, follower: partOf }) => [
    { kind: 'followUp', itemId, step: 'opened', facts: { partOf } },
  ],

  GivenUpWorkDropped: ({ kind, itemId }) => [{ kind, itemId, step: 'dropped' }],
} satisfies { readonly [Type in EventType]?: (data: DataOf<Type>) => readonly Step[] };

const OF_WORK = Object.keys(STEPS) as (keyof typeof STEPS)[];
const ERASING = [
  'JobDeleted',
  'JobsDeleted',
  'AccountDeleted',
  'SequenceMailsClosed',
] as const satisfies readonly EventType[];

type OfWork = EventOf<keyof typeof STEPS>;
type Erasing = EventOf<(typeof ERASING)[number]>;

function stepsOf({ type, data }: OfWork): readonly Step[] {
  return (STEPS[type] as (data: OfWork['data']) => readonly Step[])(data);
}

export const GIVEN_UP_WORK = 'givenUpWork';

const keyOf = ({ kind, itemId }: Item): string => `${kind}/${itemId}`;

export const givenUpWork = projection<GivenUpDocument>()({
  name: GIVEN_UP_WORK,
  version: 2,
  indexes: [['kind', 'givenUpAt'], ['ownerId'], ['jobId']],
  keys: (event) => (isOf(event, ...ERASING) ? [] : stepsOf(event).map(keyOf)),
  on: {
    ...each(OF_WORK, (document: GivenUpDocument | null, event, key) => {
      const step = stepsOf(event).find((own) => keyOf(own) === key);
      return step ? stepped(document, event, step) : document;
    }),
    ...each(ERASING, (document: GivenUpDocument | null) => document),
  },
  deletes: (event) => (isOf(event, ...ERASING) ? erasedBy(event) : null),
});

/** Follow-ups and events of the payment provider stay: bills outlive jobs and accounts. */
function erasedBy({ type, data }: Erasing): Deletes {
  if (type === 'JobsDeleted') return { field: 'jobId', values: data.jobIds };
  if (type === 'JobDeleted') return { field: 'jobId', values: [data.jobId] };
  return { field: 'ownerId', values: [data.userId] };
}

function stepped(
  document: GivenUpDocument | null,
  { stream, metadata }: RecordedEvent,
  step: Step,
): GivenUpDocument | null {
  if (step.step === 'over') return null;
  // One that is pending again by now is not in the list that it is dropped from.
  if (step.step === 'dropped') return document?.givenUpAt === null ? document : null;
  const { kind, itemId, facts, attempt } = step;
  const blank = {
    kind,
    itemId,
    about: null,
    ownerId: null,
    jobId: null,
    partOf: null,
    attempts: null,
    reason: null,
    stream,
    givenUpAt: null,
  };
  const known: GivenUpDocument = { ...(document ?? blank), ...facts };
  if (step.step === 'opened') return { ...known, attempts: null, reason: null, givenUpAt: null };
  if (step.step === 'tried') return { ...known, attempts: attempt ?? (known.attempts ?? 0) + 1 };
  const reason = isOperator(metadata.actor) ? 'dropped' : step.reason;
  return { ...known, attempts: attempt ?? known.attempts, reason, givenUpAt: metadata.at };
}

const isOperator = ({ kind, id }: Actor): boolean => kind === 'admin' || (kind === 'system' && id === 'operator');

/** Newest first. */
export function listGivenUp(
  readModels: Pick<ReadModels, 'find'>,
  { kind, limit, cursor }: { readonly kind: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<GivenUpDocument>> {
  const where = { kind, givenUpAt: { gt: '' } };
  return readModels.find(GIVEN_UP_WORK, {
    where,
    sort: [['givenUpAt', 'desc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** How many there are of a kind, or how many of them were given up since then (UTC ISO). */
export function countGivenUp(readModels: Pick<ReadModels, 'count'>, kind: string, since?: string): Promise<number> {
  return readModels.count(GIVEN_UP_WORK, { kind, givenUpAt: since === undefined ? { gt: '' } : { gte: since } });
}

/** Null if it is not given up, or no longer. */
export async function getGivenUp(readModels: Pick<ReadModels, 'get'>, item: Item): Promise<GivenUpDocument | null> {
  const found = (await readModels.get<GivenUpDocument>(GIVEN_UP_WORK, keyOf(item)))?.data ?? null;
  return found?.givenUpAt ? found : null;
}
