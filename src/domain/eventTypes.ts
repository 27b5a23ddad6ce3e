/**
 * Every event of the product. The compiler keeps its types and the registry of stored events in sync, in both
 * directions.
 */
import type { AccountEvent, EmailEvent, InstallationEvent, SessionEvent } from './account/events.ts';
import type { AccountExportEvent, ExportFileEvent } from './accountExport/events.ts';
import type { AdminLookEvent } from './adminLook/events.ts';
import type { ApiKeysEvent, ApiKeyUseEvent } from './apiKeys/events.ts';
import type { BillingEvent, BillingNoteWritten } from './billing/events.ts';
import type { CodeEvent } from './code/events.ts';
import type { EventExportEvent } from './eventExport/events.ts';
import type { IdentityEvent, PseudonymKeyEvent, RuleEvent } from './installation/events.ts';
import type { JobDeletionsEvent, JobEvent } from './job/events.ts';
import type { IdentityClaimEvent, LogInEvent } from './logIn/events.ts';
import type { MailEvent } from './mail/events.ts';
import type { PlanEvent } from './plan/events.ts';
import type { PromptEvent } from './prompt/events.ts';
import type { PromptTrialEvent } from './promptTrial/events.ts';
import type { ProviderEventEvent } from './providerEvent/events.ts';
import type { CrawlEvent, PageRecordEvent, ReportEvent, ReportOpenedEvent } from './report/events.ts';
import type { RequestEvent } from './request/events.ts';
import type { ReworkEvent } from './rework/events.ts';
import type { SecondFactorEvent } from './secondFactor/events.ts';
import type { SequenceEvent, SequenceMailsEvent } from './sequence/events.ts';
import type { ShareEvent, ShareVisitEvent } from './share/events.ts';
import { STORED } from './stored/registry.ts';
import type { StoredType } from './stored/storedType.ts';
import type { TallyEvent, TallySumEvent } from './tally/events.ts';
import type { WebhookDeliveryEvent, WebhookSecretEvent, WebhooksEvent } from './webhooks/events.ts';
import type { FollowUpEvent, ParkedEvent, WorkEvent } from './work/events.ts';

export type ProductEvent =
  | AccountEvent
  | EmailEvent
  | SessionEvent
  | InstallationEvent
  | IdentityEvent
  | RuleEvent
  | PseudonymKeyEvent
  | JobEvent
  | JobDeletionsEvent
  | ReportEvent
  | PageRecordEvent
  | ReportOpenedEvent
  | CrawlEvent
  | PlanEvent
  | BillingEvent
  | BillingNoteWritten
  | CodeEvent
  | ProviderEventEvent
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
  | ParkedEvent
  | RequestEvent
  | AdminLookEvent
  | SequenceEvent
  | SequenceMailsEvent
  | PromptEvent
  | PromptTrialEvent
  | SecondFactorEvent
  | LogInEvent
  | IdentityClaimEvent
  | AccountExportEvent
  | ExportFileEvent
  | EventExportEvent
  | TallyEvent
  | TallySumEvent;

const ALL: Readonly<Record<ProductEvent['type'], StoredType>> = STORED;

type Unknown = Exclude<keyof typeof STORED, ProductEvent['type']>;
const NONE_UNKNOWN: [Unknown] extends [never] ? true : never = true;

export const EVENT_TYPES: readonly ProductEvent['type'][] = NONE_UNKNOWN
  ? (Object.keys(ALL) as ProductEvent['type'][])
  : [];

/** Event types that no read model handles except `causes`, which takes nearly all, and why. */
export const EVENTS_WITHOUT_PROJECTION: Readonly<Partial<Record<ProductEvent['type'], string>>> = {
  CodeUseReserved: 'Counted in its own stream, at the moment of the command.',
  CodeUseStarted: 'Counted in its own stream, at the moment of the command.',
  CodeUseReleased: 'Counted in its own stream, at the moment of the command.',
  CodeUsed: 'Counted in its own stream, at the moment of the command; reports add it up.',
  SubmissionsRefused: 'Only reports add them up.',
  CheckoutsOpened: 'Only reports add them up.',
  CheckoutsLeft: 'Only reports add them up.',
  CodesTried: 'Only reports add them up.',
  LogInsRefused: 'Only reports add them up.',
  TalliesSummed: 'Only reports add them up.',
  BillingNoteWritten: 'Read from its own stream with the row of the bill that it explains.',
  PasswordResetIssued: 'Read from the account’s own stream when its link is used.',
  PasswordResetUsed: 'Read from the account’s own stream when its link is used.',
  AccountEmailChangeAsked: 'Nothing has changed yet.',
  AccountEmailConfirmationIssued: 'Read from the account’s own stream when its link is used.',
  EmailClaimed: 'Claims are checked against their own stream, at the moment of the command.',
  EmailConfirmationRequested: 'Counted in its own stream, at the moment of the command.',
  EmailReleased: 'Claims are checked against their own stream, at the moment of the command.',
  InstallationIdentified: 'Read from its own stream at each start.',
  InstallationKeyRecorded: 'Read from its own stream at each start.',
  PseudonymKeyRecorded: 'Read from its own stream at each start.',
  InstallationClaimed: 'Read from its own stream, once, when an account signs up.',
  EmailProofRequired: 'Read from its own stream when a process starts.',
  AccountExportPartWritten: 'Content of a file, read from its own stream when it is downloaded.',
  CrawlPartRecorded: 'Working data of a running job, read from its own stream.',
  ReportOpened: 'Only reports count it.',
  ModelAsked: 'Added up by reports; the history of its job shows it.',
  ReworkModelAsked: 'Added up by reports; the history of its rework shows it.',
  ParkedRetryAsked: 'Handled by the projector; the list of parked documents shows the result.',
  SecondFactorEnrolmentBegun: 'Nothing has changed yet: it is read from its own stream with the first code.',
  SecondFactorPassed: 'Read from its own stream with the next code.',
  LogInMailIssued: 'Read from its own stream when its code or link is used.',
  LogInCodeRefused: 'Counted in its own stream, at the moment of the next code.',
  LogInMailUsed: 'The session that it opens says so.',
  PasskeyUsed: 'Read from its own stream with the list of passkeys.',
  PasskeyRenamed: 'Read from its own stream with the list of passkeys.',
  IdentityUsed: 'Read from its own stream with the list of identities.',
  IdentityClaimed: 'Claims are checked against their own stream, at the moment of the command.',
  IdentityReleased: 'Claims are checked against their own stream, at the moment of the command.',
  LogInClosed: 'The account is gone.',
  AccountProvenByMail: 'Read from the account’s own stream; the confirmation before it is shown.',
  RequestAnswered: 'Read from its own stream when the request is repeated.',
  SequenceMailStarted:
    'Reserves the day for an email, which is read from its own stream; it is pending until its outcome.',
  WebhookSecretRotated: 'The secret is read from its own stream when a message is sent, and is kept nowhere else.',
  WebhookSecretSet: 'The secret is read from its own stream when a message is sent, and is kept nowhere else.',
};
