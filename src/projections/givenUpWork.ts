/**
 * Work that was given up, for operators: kept until it is run again, dropped, or what it was about is erased. Events that give something up name little of
 * it, so what opens the work is noted, too, and forgotten once it is done.
 */
import { type EventOf, type EventType, isOf } from '../domain/stored/eventOf.ts';
import type { Actor } from '../domain/stored/metadata.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import type { Deletes, Projection } from './projection.ts';

export type GivenUpDocument = {
  readonly kind: string;
  readonly itemId: string;
  /** The host of an audit, the kind of an email, the type of an event, the part of an audit or the step of a sequence. Null if no event said. */
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

/** What an event means for one item. `opened`: pending, for the first time or again. `tried`: attempt number `attempt`, or one more. */
type Step = Item &
  (
    | { readonly step: 'opened'; readonly attempt?: number; readonly facts: Facts }
    | { readonly step: 'tried'; readonly attempt?: number; readonly facts: Facts }
    | { readonly step: 'givenUp'; readonly reason: string; readonly attempt?: number; readonly facts: Facts }
    | { readonly step: 'over' }
    | { readonly step: 'dropped' }
  );

const OF_JOBS = [
  ...(['JobSubmitted', 'JobStarted', 'JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'JobCancelled', 'JobFailed'] as const),
  ...(['PlanRegenerationAsked', 'SummaryAsked', 'VerificationAsked', 'ReworkStarted', 'ReworkDone', 'ReworkGivenUp'] as const),
  ...(['PromptTrialAsked', 'PromptTrialStarted', 'PromptTrialAnswered', 'PromptTrialGivenUp', 'PromptTrialForgotten'] as const),
] as const satisfies readonly EventType[];
const OF_MESSAGES = [
  ...(['MailPrepared', 'MailSent', 'MailDropped', 'MailRequeued'] as const),
  ...(['SequenceMailSent', 'SequenceMailFailed', 'SequenceMailSkipped', 'SequenceMailRequeued'] as const),
  ...(['WebhookQueued', 'WebhookTried', 'WebhookRequeued', 'WebhookForgotten'] as const),
] as const satisfies readonly EventType[];
const OF_ACCOUNTS = [
  ...(['AccountExportRequested', 'AccountExportStarted', 'AccountExportReady', 'AccountExportFailed', 'AccountExportRemoved'] as const),
] as const satisfies readonly EventType[];
const OF_EVENTS = [
  ...(['ProviderEventReceived', 'ProviderEventApplied', 'ProviderEventIgnored', 'ProviderEventRequeued'] as const),
  ...(['FollowUpSetAside', 'FollowUpDone', 'FollowUpDropped', 'FollowUpRequeued', 'GivenUpWorkDropped'] as const),
] as const satisfies readonly EventType[];
const ERASING = ['JobDeleted', 'JobsDeleted', 'AccountDeleted', 'SequenceMailsClosed'] as const satisfies readonly EventType[];

type OfJobs = Recorded<EventOf<(typeof OF_JOBS)[number]>>;
type OfMessages = Recorded<EventOf<(typeof OF_MESSAGES)[number]>>;
type OfAccounts = Recorded<EventOf<(typeof OF_ACCOUNTS)[number]>>;
type OfEvents = Recorded<EventOf<(typeof OF_EVENTS)[number]>>;
type Erasing = Recorded<EventOf<(typeof ERASING)[number]>>;
type Taken = OfJobs | OfMessages | OfAccounts | OfEvents | Erasing;

export const GIVEN_UP_WORK = 'givenUpWork';

const keyOf = ({ kind, itemId }: Item): string => `${kind}/${itemId}`;

export const givenUpWork: Projection<GivenUpDocument, EventOf<Taken['type']>> = {
  name: GIVEN_UP_WORK,
  version: 2,
  indexes: [['kind', 'givenUpAt'], ['ownerId'], ['jobId']],
  handles: [...OF_JOBS, ...OF_MESSAGES, ...OF_ACCOUNTS, ...OF_EVENTS, ...ERASING],
  keys: (event) => stepsOf(event).map(keyOf),
  evolve(document, event, key) {
    const step = stepsOf(event).find((each) => keyOf(each) === key);
    return step ? stepped(document, event, step) : document;
  },
  deletes: (event) => (isOf(event, ...ERASING) ? erasedBy(event) : null),
};

/** Follow-ups and events of the payment provider stay: bills outlive jobs and accounts. */
function erasedBy(event: Erasing): Deletes {
  if (event.type === 'JobsDeleted') return { field: 'jobId', values: event.data.jobIds };
  if (event.type === 'JobDeleted') return { field: 'jobId', values: [event.data.jobId] };
  return { field: 'ownerId', values: [event.data.userId] };
}

function stepped(document: GivenUpDocument | null, { stream, metadata }: Recorded<EventOf<EventType>>, step: Step): GivenUpDocument | null {
  if (step.step === 'over') return null;
  // One that is pending again by now is not in the list that it is dropped from.
  if (step.step === 'dropped') return document?.givenUpAt === null ? document : null;
  const { kind, itemId, facts, attempt } = step;
  const blank = { kind, itemId, about: null, ownerId: null, jobId: null, partOf: null, attempts: null, reason: null, stream, givenUpAt: null };
  const known: GivenUpDocument = { ...(document ?? blank), ...facts };
  if (step.step === 'opened') return { ...known, attempts: null, reason: null, givenUpAt: null };
  if (step.step === 'tried') return { ...known, attempts: attempt ?? (known.attempts ?? 0) + 1 };
  const reason = isOperator(metadata.actor) ? 'dropped' : step.reason;
  return { ...known, attempts: attempt ?? known.attempts, reason, givenUpAt: metadata.at };
}

const isOperator = ({ kind, id }: Actor): boolean => kind === 'admin' || (kind === 'system' && id === 'operator');

function stepsOf(event: Recorded<EventOf<EventType>>): readonly Step[] {
  if (isOf(event, ...OF_JOBS)) return event.type.startsWith('Job') ? stepsOfAudit(event) : stepsOfPart(event);
  if (isOf(event, ...OF_MESSAGES)) return event.type.startsWith('Webhook') ? stepsOfDelivery(event) : stepsOfMail(event);
  if (isOf(event, ...OF_ACCOUNTS)) return [stepOfExport(event)];
  return isOf(event, ...OF_EVENTS) ? stepsOfEvent(event) : [];
}

/** The code of audits that were given up; all others say something about the site. */
const INTERNAL_FAILURE = 'INTERNAL';

function stepsOfAudit(event: OfJobs): readonly Step[] {
  const item = { kind: 'audit', itemId: event.data.jobId };
  switch (event.type) {
    case 'JobSubmitted': {
      const { jobId, userId: ownerId, host: about, retryOf } = event.data;
      const opened: Step = { ...item, step: 'opened', facts: { about, ownerId, jobId } };
      return retryOf === undefined ? [opened] : [opened, { ...item, itemId: retryOf, step: 'over' }];
    }
    case 'JobStarted':
      // The first one changes nothing.
      return event.data.attempt > 1 ? [{ ...item, step: 'tried', attempt: event.data.attempt, facts: {} }] : [];
    case 'JobFailed': {
      const { code, reason, jobId } = event.data;
      return [code === INTERNAL_FAILURE ? { ...item, step: 'givenUp', reason, facts: { jobId } } : { ...item, step: 'over' }];
    }
    default:
      return [{ ...item, step: 'over' }];
  }
}

/** Failures that are not ours are answers: a site that could not be reached, a model that did not answer. */
const GIVEN_UP = 'GIVEN_UP';

/** A part of an audit that is written again, or a prompt that is tried on it. */
function stepsOfPart(event: OfJobs): readonly Step[] {
  switch (event.type) {
    case 'PlanRegenerationAsked':
      return [asked(event.data, 'plan')];
    case 'SummaryAsked':
      return [asked(event.data, 'summary')];
    case 'VerificationAsked':
      return [asked(event.data, 'verification')];
    case 'PromptTrialAsked': {
      const { jobId, adminId, key } = event.data;
      return [{ kind: 'promptTrial', itemId: jobId, step: 'opened', facts: { about: key, ownerId: adminId, jobId } }];
    }
    case 'ReworkStarted':
    case 'ReworkDone':
    case 'ReworkGivenUp':
      return [ended(event, { kind: 'rework', itemId: event.data.reworkId }, event.data.userId)];
    case 'PromptTrialStarted':
    case 'PromptTrialAnswered':
    case 'PromptTrialGivenUp':
    case 'PromptTrialForgotten':
      return [ended(event, { kind: 'promptTrial', itemId: event.data.jobId }, event.data.adminId)];
    default:
      return [];
  }
}

type Asked = { readonly reworkId: string; readonly jobId: string; readonly userId: string };

function asked({ reworkId: itemId, jobId, userId: ownerId }: Asked, about: string): Step {
  return { kind: 'rework', itemId, step: 'opened', facts: { about, ownerId, jobId } };
}

function ended(event: Extract<OfJobs, { readonly type: `Rework${string}` | `PromptTrial${string}` }>, item: Item, ownerId: string): Step {
  const facts = { ownerId, jobId: event.data.jobId };
  if (event.type === 'ReworkStarted' || event.type === 'PromptTrialStarted') return { ...item, step: 'tried', facts };
  const isGivenUp = (event.type === 'ReworkGivenUp' || event.type === 'PromptTrialGivenUp') && event.data.code === GIVEN_UP;
  return isGivenUp ? { ...item, step: 'givenUp', reason: event.data.reason, facts } : { ...item, step: 'over' };
}

function stepOfExport(event: OfAccounts): Step {
  const item = { kind: 'accountExport', itemId: event.data.userId };
  const facts = { ownerId: event.data.userId };
  if (event.type === 'AccountExportRequested') return { ...item, step: 'opened', facts };
  if (event.type === 'AccountExportStarted') return { ...item, step: 'tried', attempt: event.data.attempt, facts };
  return event.type === 'AccountExportFailed' ? { ...item, step: 'givenUp', reason: event.data.reason, facts } : { ...item, step: 'over' };
}

/** A refused address is no work to run again: it is listed with the emails. */
const isGivenUpReason = (reason: string): boolean => reason === 'given_up' || reason === 'too_old';

function stepsOfMail(event: OfMessages): readonly Step[] {
  switch (event.type) {
    case 'MailPrepared': {
      const { mailId, userId: ownerId, kind: about, attempt = 1 } = event.data;
      const isFirst = attempt <= 1 || about === 'sequence';
      return isFirst ? [] : [{ kind: 'mail', itemId: mailId, step: 'tried', attempt, facts: { about, ownerId } }];
    }
    case 'MailDropped': {
      const { mailId: itemId, userId: ownerId, kind: about, reason } = event.data;
      return [isGivenUpReason(reason) ? { kind: 'mail', itemId, step: 'givenUp', reason, facts: { about, ownerId } } : { kind: 'mail', itemId, step: 'over' }];
    }
    case 'MailSent':
    case 'MailRequeued':
      return [{ kind: 'mail', itemId: event.data.mailId, step: 'over' }];
    case 'SequenceMailFailed': {
      const { mailId, userId: ownerId, sequenceId: partOf, stepNumber, reason } = event.data;
      const item = { kind: 'sequenceMail', itemId: mailId };
      return [
        isGivenUpReason(reason) ? { ...item, step: 'givenUp', reason, facts: { about: String(stepNumber), ownerId, partOf } } : { ...item, step: 'over' },
      ];
    }
    case 'SequenceMailSent':
    case 'SequenceMailSkipped':
    case 'SequenceMailRequeued':
      return [{ kind: 'sequenceMail', itemId: event.data.mailId, step: 'over' }];
    default:
      return [];
  }
}

function stepsOfDelivery(event: OfMessages): readonly Step[] {
  switch (event.type) {
    case 'WebhookQueued': {
      const { deliveryId: itemId, userId: ownerId, endpointId: partOf, event: about } = event.data;
      return [{ kind: 'webhook', itemId, step: 'opened', facts: { about, ownerId, partOf } }];
    }
    case 'WebhookRequeued': {
      const { deliveryId: itemId, userId: ownerId, endpointId: partOf } = event.data;
      return [{ kind: 'webhook', itemId, step: 'opened', facts: { partOf, ...(ownerId === undefined ? {} : { ownerId }) } }];
    }
    case 'WebhookTried': {
      const { deliveryId: itemId, endpointId: partOf, ok, nextTryAt, attempt, status, error } = event.data;
      if (ok) return [{ kind: 'webhook', itemId, step: 'over' }];
      const reason = error ?? (status === null ? 'No answer' : `Answered ${status}`);
      return nextTryAt === null ? [{ kind: 'webhook', itemId, step: 'givenUp', reason, attempt, facts: { partOf } }] : [];
    }
    case 'WebhookForgotten':
      return [{ kind: 'webhook', itemId: event.data.deliveryId, step: 'over' }];
    default:
      return [];
  }
}

function stepsOfEvent(event: OfEvents): readonly Step[] {
  switch (event.type) {
    case 'ProviderEventReceived':
      return [{ kind: 'providerEvent', itemId: event.data.eventId, step: 'opened', facts: { about: event.data.eventType } }];
    case 'ProviderEventRequeued':
      return [{ kind: 'providerEvent', itemId: event.data.eventId, step: 'opened', facts: {} }];
    case 'ProviderEventApplied':
      return [{ kind: 'providerEvent', itemId: event.data.eventId, step: 'over' }];
    case 'ProviderEventIgnored': {
      const { eventId: itemId, reason } = event.data;
      return [reason === 'given_up' ? { kind: 'providerEvent', itemId, step: 'givenUp', reason, facts: {} } : { kind: 'providerEvent', itemId, step: 'over' }];
    }
    case 'FollowUpSetAside': {
      const { followUpId: itemId, follower: partOf, eventType, error } = event.data;
      return [{ kind: 'followUp', itemId, step: 'opened', facts: { about: `${eventType} (${error})`, partOf } }];
    }
    case 'FollowUpRequeued':
      return [{ kind: 'followUp', itemId: event.data.followUpId, step: 'opened', facts: { partOf: event.data.follower } }];
    case 'FollowUpDone':
      return [{ kind: 'followUp', itemId: event.data.followUpId, step: 'over' }];
    case 'FollowUpDropped': {
      const item = { kind: 'followUp', itemId: event.data.followUpId };
      return [event.data.reason === 'dropped' ? { ...item, step: 'givenUp', reason: 'given_up', facts: {} } : { ...item, step: 'over' }];
    }
    case 'GivenUpWorkDropped':
      return [{ kind: event.data.kind, itemId: event.data.itemId, step: 'dropped' }];
    default:
      event satisfies never;
      return [];
  }
}

/** Newest first. */
export function listGivenUp(
  readModels: Pick<ReadModels, 'find'>,
  { kind, limit, cursor }: { readonly kind: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<GivenUpDocument>> {
  const where = { kind, givenUpAt: { gt: '' } };
  return readModels.find(GIVEN_UP_WORK, { where, sort: [['givenUpAt', 'desc']], limit, ...(cursor === undefined ? {} : { cursor }) });
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
