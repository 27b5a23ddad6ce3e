/** Every event type of the product, complete by construction: a type that is missing here does not compile. */
import type { AccountEvent, EmailEvent, InstallationEvent, SessionEvent } from './account/events.ts';
import type { ApiKeysEvent, ApiKeyUseEvent } from './apiKeys/events.ts';
import type { BillingEvent } from './billing/events.ts';
import type { JobDeletionsEvent, JobEvent } from './job/events.ts';
import type { MailEvent } from './mail/events.ts';
import type { PlanEvent } from './plan/events.ts';
import type { CrawlEvent, ReportEvent } from './report/events.ts';
import type { RequestEvent } from './request/events.ts';
import type { ReworkEvent } from './rework/events.ts';
import type { ShareEvent, ShareVisitEvent } from './share/events.ts';
import type { WebhookDeliveryEvent, WebhookSecretEvent, WebhooksEvent } from './webhooks/events.ts';
import type { FollowUpEvent, WorkEvent } from './work/events.ts';

export type ProductEvent =
  | AccountEvent
  | EmailEvent
  | SessionEvent
  | InstallationEvent
  | JobEvent
  | JobDeletionsEvent
  | ReportEvent
  | CrawlEvent
  | PlanEvent
  | BillingEvent
  | ApiKeysEvent
  | ApiKeyUseEvent
  | WebhooksEvent
  | WebhookSecretEvent
  | WebhookDeliveryEvent
  | ShareEvent
  | ShareVisitEvent
  | MailEvent
  | ReworkEvent
  | FollowUpEvent
  | WorkEvent
  | RequestEvent;

const ALL: Record<ProductEvent['type'], true> = {
  AccountRegistered: true,
  AccountPasswordChanged: true,
  AccountAdminGranted: true,
  AccountDeleted: true,
  PasswordResetAsked: true,
  PasswordResetIssued: true,
  PasswordResetUsed: true,
  AccountSessionsEnded: true,
  AccountEmailChangeAsked: true,
  AccountEmailChanged: true,
  AccountEmailChangeRefused: true,
  AccountMailChoiceSet: true,
  EmailClaimed: true,
  EmailReleased: true,
  EmailRefused: true,
  SessionStarted: true,
  SessionRefreshed: true,
  SessionEnded: true,
  InstallationClaimed: true,
  JobSubmitted: true,
  JobQueued: true,
  JobStarted: true,
  JobStepStarted: true,
  JobStepEnded: true,
  JobProgressed: true,
  JobReportReady: true,
  JobSummaryWritten: true,
  JobActionsGenerated: true,
  JobCompleted: true,
  JobPartiallyCompleted: true,
  JobPartiallySucceeded: true,
  JobCancelled: true,
  JobFailed: true,
  JobDeleted: true,
  JobsDeleted: true,
  ReportPartWritten: true,
  ReportRowsWritten: true,
  CrawlPartRecorded: true,
  PlanGenerated: true,
  PlanExtended: true,
  ActionStarted: true,
  ActionCompleted: true,
  ActionReopened: true,
  ActionSetBack: true,
  ActionMoveUndone: true,
  ActionNoted: true,
  ActionRated: true,
  ActionVerified: true,
  PlanRegenerated: true,
  PlanDeleted: true,
  AnalysisReserved: true,
  AnalysisConsumed: true,
  AnalysisReleased: true,
  ApiKeyCreated: true,
  ApiKeyRevoked: true,
  ApiKeysClosed: true,
  ApiKeyUsed: true,
  WebhookAdded: true,
  WebhookEnabled: true,
  WebhookDisabled: true,
  WebhookRemoved: true,
  WebhooksClosed: true,
  WebhookSecretSet: true,
  WebhookSecretRotated: true,
  WebhookQueued: true,
  WebhookTryStarted: true,
  WebhookTried: true,
  WebhookRequeued: true,
  WebhookForgotten: true,
  ShareCreated: true,
  ShareRevoked: true,
  ShareViewed: true,
  SharePreviewViewed: true,
  ShareSignUpClicked: true,
  ShareSignedUp: true,
  MailPrepared: true,
  MailSent: true,
  MailDropped: true,
  PlanRegenerationAsked: true,
  SummaryAsked: true,
  VerificationAsked: true,
  ReworkStarted: true,
  ReworkDone: true,
  ReworkGivenUp: true,
  FollowUpSetAside: true,
  FollowUpDone: true,
  FollowUpDropped: true,
  WorkRetryAsked: true,
  RequestAccepted: true,
  RequestAnswered: true,
};

export const EVENT_TYPES = Object.keys(ALL) as readonly ProductEvent['type'][];

/** Event types that no read model takes, and why. */
export const EVENTS_WITHOUT_PROJECTION: Readonly<Partial<Record<ProductEvent['type'], string>>> = {
  PasswordResetIssued: 'Asked of the account itself, by whoever holds the link.',
  PasswordResetUsed: 'Asked of the account itself, by whoever holds the link.',
  AccountSessionsEnded: 'Each session ends by an event of its own.',
  AccountEmailChangeAsked: 'Nothing has changed yet.',
  AccountEmailChangeRefused: 'Nothing has changed.',
  EmailClaimed: 'Claims are checked against their own stream, at the moment of the command.',
  EmailReleased: 'Claims are checked against their own stream, at the moment of the command.',
  InstallationClaimed: 'Asked once, of its own stream, when an account signs up.',
  CrawlPartRecorded: 'Working data of a running job, read from its own stream.',
  ReworkStarted: 'Counts the tries for those who write to its stream; it is owed until it has ended.',
  MailPrepared: 'Asked of its own stream, by its link and by who sends it.',
  RequestAnswered: 'Asked of its own stream, when the request is repeated.',
  WebhookSecretRotated: 'What signs is read from its own stream at the moment of sending, and stands nowhere else.',
  WebhookSecretSet: 'What signs is read from its own stream at the moment of sending, and stands nowhere else.',
};
