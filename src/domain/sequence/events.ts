/**
 * Storage format, version with care. Streams: `sequence-{sequenceId}`: a series of emails as written by admins; `delivery-{userId}`: which of them one
 * user is due, received, or missed. Neither contains any of the text sent to a reader.
 */
import type { SequenceTrigger } from '../../model/sequences.ts';

/** One email of a sequence. */
export type SequenceTemplate = {
  readonly templateId: string;
  readonly name: string;
  /** A single line. */
  readonly subject: string;
  /** Markdown with placeholders. */
  readonly content: string;
  /** From 1; unique within a sequence. */
  readonly stepNumber: number;
  /** Counted from the due time of the previous step; for the first step, from the trigger. */
  readonly delayDays: number;
  readonly isActive: boolean;
};

type Described = { readonly name: string; readonly description: string; readonly trigger: SequenceTrigger };

export type SequenceEvent =
  | { readonly type: 'SequenceCreated'; readonly data: Described & { readonly sequenceId: string; readonly createdAt: string } }
  | { readonly type: 'SequenceEdited'; readonly data: Described & { readonly sequenceId: string; readonly editedAt: string } }
  /** From here on, accounts that sign up are enrolled. */
  | { readonly type: 'SequenceActivated'; readonly data: { readonly sequenceId: string; readonly activatedAt: string } }
  /** Nothing more is sent, not even to enrolled users. */
  | { readonly type: 'SequenceDeactivated'; readonly data: { readonly sequenceId: string; readonly deactivatedAt: string } }
  | { readonly type: 'SequenceTemplateAdded'; readonly data: SequenceTemplate & { readonly sequenceId: string; readonly addedAt: string } }
  | { readonly type: 'SequenceTemplateChanged'; readonly data: SequenceTemplate & { readonly sequenceId: string; readonly changedAt: string } }
  | { readonly type: 'SequenceTemplateRemoved'; readonly data: { readonly sequenceId: string; readonly templateId: string; readonly removedAt: string } }
  /** An admin requested a test email to themselves. */
  | {
      readonly type: 'SequenceTestAsked';
      readonly data: { readonly sequenceId: string; readonly templateId: string; readonly userId: string; readonly askedAt: string };
    }
  | {
      readonly type: 'SequenceDeleted';
      readonly data: { readonly sequenceId: string; readonly templateIds: readonly string[]; readonly deletedAt: string };
    };

/** `refused`: no server accepts email for that address. `too_old`: it is days late. `given_up`: by an operator, or after too many failures. */
export type SequenceMailFailure = 'refused' | 'no_mailer' | 'too_old' | 'given_up';

/**
 * `turned_off`: by the user. `not_confirmed`: the account's address has not been proven. `disabled`: the account was disabled by an admin. `bounced`: no
 * server accepts email for it. `sequence_off`: turned off or deleted by an admin. `came_back`, `subscribed`: the reason for the sequence no longer
 * applies.
 */
export type SequenceStopReason = 'turned_off' | 'not_confirmed' | 'disabled' | 'bounced' | 'sequence_off' | 'came_back' | 'subscribed' | 'account_deleted';

type Enrolment = { readonly userId: string; readonly sequenceId: string; readonly enrolmentId: string };
type Step = Enrolment & { readonly mailId: string; readonly templateId: string; readonly stepNumber: number };

export type SequenceMailsEvent =
  /** `triggeredAt`: the start of its delays. Once per user and sequence. */
  | {
      readonly type: 'SequenceEnrolled';
      readonly data: Enrolment & { readonly trigger: SequenceTrigger; readonly triggeredAt: string; readonly enrolledAt: string };
    }
  /** `mailId` names the email's own stream, and is its Message-ID at every attempt. */
  | { readonly type: 'SequenceMailScheduled'; readonly data: Step & { readonly dueAt: string; readonly scheduledAt: string } }
  /** The user already had a sequence email that day, or has been active meanwhile. The delays of later steps count from `plannedAt`. */
  | { readonly type: 'SequenceMailPutOff'; readonly data: Step & { readonly dueAt: string; readonly plannedAt: string; readonly putOffAt: string } }
  /** An attempt starts on this day (UTC, `2026-03-10`), which no other sequence email has for this user. Once per day and email. */
  | { readonly type: 'SequenceMailStarted'; readonly data: Step & { readonly day: string; readonly startedAt: string } }
  | { readonly type: 'SequenceMailSent'; readonly data: Step & { readonly sentAt: string } }
  | { readonly type: 'SequenceMailFailed'; readonly data: Step & { readonly reason: SequenceMailFailure; readonly failedAt: string } }
  /** Its template has been turned off or removed; or it was queued again, and is no longer wanted. */
  | { readonly type: 'SequenceMailSkipped'; readonly data: Step & { readonly skippedAt: string } }
  /** After it was given up, an operator had it sent after all, under the same `mailId`. Its sequence goes on regardless. */
  | { readonly type: 'SequenceMailRequeued'; readonly data: Step & { readonly requeuedAt: string } }
  /** No steps are left. */
  | { readonly type: 'SequenceFinished'; readonly data: Enrolment & { readonly finishedAt: string } }
  /** `mailId`: the pending email, which is no longer sent. `stepNumber`: the last step sent; 0 if none. */
  | {
      readonly type: 'SequenceStopped';
      readonly data: Enrolment & {
        readonly reason: SequenceStopReason;
        readonly mailId: string | null;
        readonly stepNumber: number;
        readonly stoppedAt: string;
      };
    }
  /** The account is gone: its data is no longer shown, and no events follow. */
  | {
      readonly type: 'SequenceMailsClosed';
      readonly data: { readonly userId: string; readonly enrolmentIds: readonly string[]; readonly mailIds: readonly string[]; readonly closedAt: string };
    };
