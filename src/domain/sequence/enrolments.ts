/** Where one user is in each email sequence: the state of their sequence emails, and what each event changes in it. */
import type { SequenceTrigger } from '../../model/sequences.ts';
import type { SequenceMailFailure, SequenceMailsEvent } from './events.ts';

export type PendingMail = {
  readonly mailId: string;
  readonly templateId: string;
  readonly stepNumber: number;
  /** The next step's delay counts from here. */
  readonly plannedAt: string;
  /** Earliest time to send it: later than planned if that day was taken. */
  readonly dueAt: string;
  /** The last day it was attempted; null if none. */
  readonly day: string | null;
};

/** One that was given up. `again`: it was queued again, and is pending beside the next one. */
type MissedMail = PendingMail & { readonly again: boolean };

export type Enrolment = {
  readonly sequenceId: string;
  readonly enrolmentId: string;
  readonly trigger: SequenceTrigger;
  /** Shifted whenever an email is rescheduled. */
  readonly triggeredAt: string;
  readonly status: 'open' | 'finished' | 'stopped';
  readonly pending: PendingMail | null;
  /** An email that may be in transit when the sequence is stopped: whether it was sent is recorded later. */
  readonly inHand: PendingMail | null;
  readonly missed: readonly MissedMail[];
  /** The last completed step and its planned time; initially step 0, at the trigger. */
  readonly done: { readonly stepNumber: number; readonly plannedAt: string };
  readonly sentStep: number;
  readonly sentAt: string | null;
};

export type SequenceMailsState = {
  readonly userId: string | null;
  /** In order of enrollment. */
  readonly enrolments: readonly Enrolment[];
  /** The last day (UTC) an email was attempted. */
  readonly lastDay: string | null;
  /** Every email ever scheduled. */
  readonly mailIds: readonly string[];
  readonly closed: boolean;
};

export const noEnrolments = (): SequenceMailsState => ({
  userId: null,
  enrolments: [],
  lastDay: null,
  mailIds: [],
  closed: false,
});

export type Found = { readonly enrolment: Enrolment; readonly mail: PendingMail };

/**
 * The enrollment whose pending email this is, or whose email was queued again; null if it is settled or never existed.
 */
export function pendingMail({ enrolments }: SequenceMailsState, mailId: string): Found | null {
  for (const enrolment of enrolments) {
    const mail = [enrolment.pending, ...enrolment.missed.filter(({ again }) => again)].find(
      (each) => each?.mailId === mailId,
    );
    if (mail) return { enrolment, mail };
  }
  return null;
}

export function evolve(state: SequenceMailsState, event: SequenceMailsEvent): SequenceMailsState {
  switch (event.type) {
    case 'SequenceEnrolled': {
      const { userId, sequenceId, enrolmentId, trigger, triggeredAt } = event.data;
      const before = { pending: null, inHand: null, missed: [], done: { stepNumber: 0, plannedAt: triggeredAt } };
      const progress = { ...before, status: 'open', sentStep: 0, sentAt: null } as const;
      return {
        ...state,
        userId,
        enrolments: [...state.enrolments, { sequenceId, enrolmentId, trigger, triggeredAt, ...progress }],
      };
    }
    case 'SequenceMailScheduled': {
      const { enrolmentId, mailId, templateId, stepNumber, dueAt } = event.data;
      const scheduled = changed(state, enrolmentId, () => ({
        pending: { mailId, templateId, stepNumber, plannedAt: dueAt, dueAt, day: null },
      }));
      return { ...scheduled, mailIds: [...state.mailIds, mailId] };
    }
    case 'SequenceMailPutOff':
      return putOff(state, event.data);
    case 'SequenceMailStarted': {
      const { enrolmentId, mailId, day } = event.data;
      return { ...changed(state, enrolmentId, (enrolment) => withMail(enrolment, mailId, { day })), lastDay: day };
    }
    case 'SequenceMailSent': {
      const { enrolmentId, mailId, stepNumber, sentAt } = event.data;
      const sentStep = (enrolment: Enrolment): number => Math.max(enrolment.sentStep, stepNumber);
      return changed(state, enrolmentId, (each) => ({
        ...doneWith(each, mailId),
        inHand: null,
        sentStep: sentStep(each),
        sentAt,
      }));
    }
    case 'SequenceMailFailed':
      return changed(state, event.data.enrolmentId, (enrolment) => failedWith(enrolment, event.data));
    case 'SequenceMailSkipped':
      return changed(state, event.data.enrolmentId, (enrolment) => doneWith(enrolment, event.data.mailId));
    case 'SequenceMailRequeued': {
      const { enrolmentId, mailId, requeuedAt } = event.data;
      const again = (mail: MissedMail): MissedMail =>
        mail.mailId === mailId ? { ...mail, again: true, dueAt: requeuedAt } : mail;
      return changed(state, enrolmentId, ({ missed }) => ({ missed: missed.map(again) }));
    }
    case 'SequenceFinished':
      return changed(state, event.data.enrolmentId, () => ({ status: 'finished' }));
    case 'SequenceStopped':
      return changed(state, event.data.enrolmentId, ({ pending, inHand }) => ({
        status: 'stopped',
        pending: null,
        inHand: pending?.day ? pending : inHand,
      }));
    case 'SequenceMailsClosed':
      return { userId: event.data.userId, enrolments: [], lastDay: null, mailIds: [], closed: true };
    default:
      event satisfies never;
      return state;
  }
}

function putOff(
  state: SequenceMailsState,
  {
    enrolmentId,
    mailId,
    dueAt,
    plannedAt,
  }: { readonly enrolmentId: string; readonly mailId: string; readonly dueAt: string; readonly plannedAt: string },
) {
  return changed(state, enrolmentId, (enrolment) => {
    const { pending, triggeredAt } = enrolment;
    const movedMs = pending?.mailId === mailId ? Date.parse(plannedAt) - Date.parse(pending.plannedAt) : 0;
    return {
      ...withMail(enrolment, mailId, { dueAt, plannedAt }),
      triggeredAt: new Date(Date.parse(triggeredAt) + movedMs).toISOString(),
    };
  });
}

function withMail(
  { pending, missed }: Enrolment,
  mailId: string,
  change: Partial<PendingMail>,
): Pick<Enrolment, 'pending' | 'missed'> {
  if (pending?.mailId === mailId) return { pending: { ...pending, ...change }, missed };
  return { pending, missed: missed.map((mail) => (mail.mailId === mailId ? { ...mail, ...change } : mail)) };
}

function changed(
  state: SequenceMailsState,
  enrolmentId: string,
  change: (enrolment: Enrolment) => Partial<Enrolment>,
): SequenceMailsState {
  return {
    ...state,
    enrolments: state.enrolments.map((each) =>
      each.enrolmentId === enrolmentId ? { ...each, ...change(each) } : each,
    ),
  };
}

type Settled = Pick<Enrolment, 'pending' | 'missed' | 'done'>;

/** One that was queued again leaves the rest of its sequence as it is. */
function doneWith({ pending, missed, done }: Enrolment, mailId: string): Settled {
  if (pending?.mailId !== mailId) return { pending, done, missed: missed.filter((mail) => mail.mailId !== mailId) };
  return { pending: null, missed, done: { stepNumber: pending.stepNumber, plannedAt: pending.plannedAt } };
}

function failedWith(
  enrolment: Enrolment,
  { mailId, reason }: { readonly mailId: string; readonly reason: SequenceMailFailure },
): Settled {
  const settled = doneWith(enrolment, mailId);
  const mail = [enrolment.pending, ...enrolment.missed].find((each) => each?.mailId === mailId);
  return mail && (reason === 'given_up' || reason === 'too_old')
    ? { ...settled, missed: [...settled.missed, { ...mail, again: false }] }
    : settled;
}
