/**
 * Storage format, version with care. Streams: `sequence-{sequenceId}`: a series of mails as admins write it; `delivery-{userId}`: which of them one user
 * is to get, got and did not get. Neither says a word of what a mail held for its reader.
 */
import type { SequenceTrigger } from '../../model/sequences.ts';

/** One mail of a sequence. */
export type SequenceTemplate = {
  readonly templateId: string;
  readonly name: string;
  /** One line. */
  readonly subject: string;
  /** Markdown with placeholders. */
  readonly content: string;
  /** From 1; each once in a sequence. */
  readonly stepNumber: number;
  /** After the step before was due; of the first one after the trigger. */
  readonly delayDays: number;
  readonly isActive: boolean;
};

type Described = { readonly name: string; readonly description: string; readonly trigger: SequenceTrigger };

export type SequenceEvent =
  | { readonly type: 'SequenceCreated'; readonly data: Described & { readonly sequenceId: string; readonly createdAt: string } }
  | { readonly type: 'SequenceEdited'; readonly data: Described & { readonly sequenceId: string; readonly editedAt: string } }
  /** From here on accounts that sign up are enrolled. */
  | { readonly type: 'SequenceActivated'; readonly data: { readonly sequenceId: string; readonly activatedAt: string } }
  /** Nothing of it is sent any more, to those who are enrolled either. */
  | { readonly type: 'SequenceDeactivated'; readonly data: { readonly sequenceId: string; readonly deactivatedAt: string } }
  | { readonly type: 'SequenceTemplateAdded'; readonly data: SequenceTemplate & { readonly sequenceId: string; readonly addedAt: string } }
  | { readonly type: 'SequenceTemplateChanged'; readonly data: SequenceTemplate & { readonly sequenceId: string; readonly changedAt: string } }
  | { readonly type: 'SequenceTemplateRemoved'; readonly data: { readonly sequenceId: string; readonly templateId: string; readonly removedAt: string } }
  /** An admin wants a mail of it sent to themselves. */
  | {
      readonly type: 'SequenceTestAsked';
      readonly data: { readonly sequenceId: string; readonly templateId: string; readonly userId: string; readonly askedAt: string };
    }
  | {
      readonly type: 'SequenceDeleted';
      readonly data: { readonly sequenceId: string; readonly templateIds: readonly string[]; readonly deletedAt: string };
    };

/** `refused`: no server takes it for that address. `too_old`: it is days late. `given_up`: an operator, or too many failures. */
export type SequenceMailFailure = 'refused' | 'no_mailer' | 'too_old' | 'given_up';

/**
 * `turned_off`: by the user. `not_confirmed`: nobody has shown that the address is the account's. `disabled`: an admin keeps the account out. `bounced`: no server takes mail for it.
 * `sequence_off`: turned off or deleted by an admin. `came_back`, `subscribed`: what the sequence was for is no longer so.
 */
export type SequenceStopReason = 'turned_off' | 'not_confirmed' | 'disabled' | 'bounced' | 'sequence_off' | 'came_back' | 'subscribed' | 'account_deleted';

type Enrolment = { readonly userId: string; readonly sequenceId: string; readonly enrolmentId: string };
type Step = Enrolment & { readonly mailId: string; readonly templateId: string; readonly stepNumber: number };

export type SequenceMailsEvent =
  /** `triggeredAt`: from when its delays count. Once for a user and a sequence. */
  | {
      readonly type: 'SequenceEnrolled';
      readonly data: Enrolment & { readonly trigger: SequenceTrigger; readonly triggeredAt: string; readonly enrolledAt: string };
    }
  /** `mailId` names the mail's own stream, and is its Message-ID at every try. */
  | { readonly type: 'SequenceMailScheduled'; readonly data: Step & { readonly dueAt: string; readonly scheduledAt: string } }
  /** The user has had a mail of a sequence that day, or was active meanwhile. From `plannedAt` the steps to come count. */
  | { readonly type: 'SequenceMailPutOff'; readonly data: Step & { readonly dueAt: string; readonly plannedAt: string; readonly putOffAt: string } }
  /** A try begins on this day (UTC, `2026-03-10`), which no other mail of a sequence has for this user. Once a day and mail. */
  | { readonly type: 'SequenceMailStarted'; readonly data: Step & { readonly day: string; readonly startedAt: string } }
  | { readonly type: 'SequenceMailSent'; readonly data: Step & { readonly sentAt: string } }
  | { readonly type: 'SequenceMailFailed'; readonly data: Step & { readonly reason: SequenceMailFailure; readonly failedAt: string } }
  /** Its template was switched off or removed since. */
  | { readonly type: 'SequenceMailSkipped'; readonly data: Step & { readonly skippedAt: string } }
  /** No step is left. */
  | { readonly type: 'SequenceFinished'; readonly data: Enrolment & { readonly finishedAt: string } }
  /** `mailId`: the mail that was to be next, which is not sent any more. `stepNumber`: of the last one that was sent; 0: none. */
  | {
      readonly type: 'SequenceStopped';
      readonly data: Enrolment & {
        readonly reason: SequenceStopReason;
        readonly mailId: string | null;
        readonly stepNumber: number;
        readonly stoppedAt: string;
      };
    }
  /** The account is gone: nothing of it is shown any more, and nothing follows. */
  | {
      readonly type: 'SequenceMailsClosed';
      readonly data: { readonly userId: string; readonly enrolmentIds: readonly string[]; readonly mailIds: readonly string[]; readonly closedAt: string };
    };
