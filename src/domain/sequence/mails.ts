/** The sequence emails of one user: which come next and when, at most one per day, and their outcomes. */
import { descending } from '../../model/order.ts';
import type { SequenceTrigger } from '../../model/sequences.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { MailDropReason } from '../mail/events.ts';
import {
  type Enrolment,
  evolve,
  type Found,
  noEnrolments,
  pendingMail,
  type SequenceMailsState,
} from './enrolments.ts';
import type { SequenceMailFailure, SequenceMailsEvent, SequenceStopReason, SequenceTemplate } from './events.ts';

/** The step after the last completed one. */
export type NextStep = {
  readonly mailId: string;
  readonly templateId: string;
  readonly stepNumber: number;
  readonly dueAt: string;
};

/** `at` is the time of the command, UTC ISO. */
export type SequenceMailsCommand =
  | {
      readonly type: 'Enrol';
      readonly userId: string;
      readonly sequenceId: string;
      readonly enrolmentId: string;
      readonly trigger: SequenceTrigger;
      readonly triggeredAt: string;
      readonly at: string;
    }
  /** `after`: the last completed step as seen by the caller. `next` is null if no steps are left. */
  | {
      readonly type: 'ScheduleNext';
      readonly enrolmentId: string;
      readonly after: number;
      readonly next: NextStep | null;
      readonly at: string;
    }
  /** Reserves the day for it, or postpones it if another email has that day. */
  | { readonly type: 'StartSequenceMail'; readonly mailId: string; readonly at: string }
  /** Its due time has moved, and all later steps with it. */
  | { readonly type: 'MoveSequenceMail'; readonly mailId: string; readonly dueAt: string; readonly at: string }
  | { readonly type: 'MarkSequenceMailSent'; readonly mailId: string; readonly at: string }
  | {
      readonly type: 'FailSequenceMail';
      readonly mailId: string;
      readonly reason: SequenceMailFailure;
      readonly at: string;
    }
  | { readonly type: 'SkipSequenceMail'; readonly mailId: string; readonly at: string }
  /** Sends one that was given up after all. */
  | { readonly type: 'RequeueSequenceMail'; readonly mailId: string; readonly at: string }
  /** One enrollment, or all. */
  | {
      readonly type: 'StopSequenceMails';
      readonly reason: SequenceStopReason;
      readonly enrolmentId?: string;
      readonly at: string;
    }
  | { readonly type: 'CloseSequenceMails'; readonly userId: string; readonly at: string };

type Command<Type extends SequenceMailsCommand['type']> = Extract<SequenceMailsCommand, { readonly type: Type }>;

/** What the user's own stream says of an email that was sent or dropped. */
export function outcomeCommand(mailId: string, outcome: 'sent' | MailDropReason, at: string): SequenceMailsCommand {
  if (outcome === 'sent') return { type: 'MarkSequenceMailSent', mailId, at };
  const reason: SequenceMailFailure =
    outcome === 'refused' || outcome === 'no_mailer' || outcome === 'too_old' ? outcome : 'given_up';
  return { type: 'FailSequenceMail', mailId, reason, at };
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const later = (at: string, days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();
const dayOf = (at: string): string => at.slice(0, 10);

/**
 * The step after the last completed one. The delay of an inactive step counts, although nothing is sent. Null if no
 * steps are left.
 */
export function stepAfter(
  templates: readonly SequenceTemplate[],
  { stepNumber, plannedAt }: Enrolment['done'],
): Omit<NextStep, 'mailId'> | null {
  let dueAt = plannedAt;
  for (const template of templates.toSorted((a, b) => a.stepNumber - b.stepNumber)) {
    if (template.stepNumber <= stepNumber) continue;
    dueAt = later(dueAt, template.delayDays);
    if (template.isActive) return { templateId: template.templateId, stepNumber: template.stepNumber, dueAt };
  }
  return null;
}

function decide(command: SequenceMailsCommand, state: SequenceMailsState): readonly SequenceMailsEvent[] {
  const { at } = command;
  switch (command.type) {
    case 'Enrol': {
      const { type: _, at: enrolledAt, ...enrolment } = command;
      const known = state.closed || state.enrolments.some(({ sequenceId }) => sequenceId === command.sequenceId);
      return known ? [] : [{ type: 'SequenceEnrolled', data: { ...enrolment, enrolledAt } }];
    }
    case 'ScheduleNext':
      return scheduleNext(command, state);
    case 'StartSequenceMail':
      return start(command, state);
    case 'MoveSequenceMail': {
      const { mailId, dueAt } = command;
      return onStep(state, mailId, (step) => [
        { type: 'SequenceMailPutOff', data: { ...step, dueAt, plannedAt: dueAt, putOffAt: at } },
      ]);
    }
    case 'MarkSequenceMailSent':
      return markSent(command, state);
    case 'FailSequenceMail': {
      const { mailId, reason } = command;
      return onStep(state, mailId, (step) => [
        { type: 'SequenceMailFailed', data: { ...step, reason, failedAt: at } },
        ...(reason === 'refused'
          ? state.enrolments.flatMap((each) => endOf(state, each, { reason: 'bounced', at, settled: mailId }))
          : []),
      ]);
    }
    case 'SkipSequenceMail':
      return onStep(state, command.mailId, (step) => [
        { type: 'SequenceMailSkipped', data: { ...step, skippedAt: at } },
      ]);
    case 'RequeueSequenceMail':
      return requeue(command, state);
    case 'StopSequenceMails':
      return stop(command, state);
    case 'CloseSequenceMails':
      return close(command, state);
    default:
      return unreachable(command);
  }
}

export const sequenceMailsDecider: Decider<SequenceMailsState, SequenceMailsCommand, SequenceMailsEvent> = {
  initialState: noEnrolments,
  evolve,
  decide,
};

function stepOf({ userId }: SequenceMailsState, { enrolment, mail }: Found) {
  const { sequenceId, enrolmentId } = enrolment;
  return {
    userId: userId ?? '',
    sequenceId,
    enrolmentId,
    mailId: mail.mailId,
    templateId: mail.templateId,
    stepNumber: mail.stepNumber,
  };
}

function onStep(
  state: SequenceMailsState,
  mailId: string,
  events: (step: ReturnType<typeof stepOf>) => readonly SequenceMailsEvent[],
): readonly SequenceMailsEvent[] {
  const found = pendingMail(state, mailId);
  return found ? events(stepOf(state, found)) : [];
}

function scheduleNext(
  { enrolmentId, after, next, at }: Command<'ScheduleNext'>,
  state: SequenceMailsState,
): readonly SequenceMailsEvent[] {
  const enrolment = state.enrolments.find((each) => each.enrolmentId === enrolmentId);
  if (enrolment?.status !== 'open' || enrolment.pending !== null || enrolment.done.stepNumber !== after) return [];
  const common = { userId: state.userId ?? '', sequenceId: enrolment.sequenceId, enrolmentId };
  if (next === null) return [{ type: 'SequenceFinished', data: { ...common, finishedAt: at } }];
  return [{ type: 'SequenceMailScheduled', data: { ...common, ...next, scheduledAt: at } }];
}

/**
 * Setting the clock back does not allow a second email on the same day. (A last day further ahead came from a wrong
 * clock.)
 */
function start({ mailId, at }: Command<'StartSequenceMail'>, state: SequenceMailsState): readonly SequenceMailsEvent[] {
  const found = pendingMail(state, mailId);
  if (!found || found.mail.dueAt > at) return [];
  const day = dayOf(at);
  const { mail } = found;
  if (mail.day !== null && mail.day >= day) return [];
  const step = stepOf(state, found);
  if (state.lastDay === null || state.lastDay < day || state.lastDay > dayOf(later(at, 1)))
    return [{ type: 'SequenceMailStarted', data: { ...step, day, startedAt: at } }];
  const nextDay = dayOf(later(`${state.lastDay}T00:00:00.000Z`, 1));
  return [
    {
      type: 'SequenceMailPutOff',
      data: { ...step, dueAt: `${nextDay}${mail.dueAt.slice(10)}`, plannedAt: mail.plannedAt, putOffAt: at },
    },
  ];
}

/** Also for an enrollment that was stopped while the email was in transit. */
function markSent(
  { mailId, at }: Command<'MarkSequenceMailSent'>,
  state: SequenceMailsState,
): readonly SequenceMailsEvent[] {
  const enrolment = state.enrolments.find(
    ({ pending, inHand }) => pending?.mailId === mailId || inHand?.mailId === mailId,
  );
  const mail = enrolment?.pending?.mailId === mailId ? enrolment.pending : enrolment?.inHand;
  return enrolment && mail
    ? [{ type: 'SequenceMailSent', data: { ...stepOf(state, { enrolment, mail }), sentAt: at } }]
    : [];
}

type Stopping = { readonly reason: SequenceStopReason; readonly at: string; readonly settled?: string };

function stopOf(
  { userId }: SequenceMailsState,
  enrolment: Enrolment,
  { reason, at, settled }: Stopping,
): readonly SequenceMailsEvent[] {
  const { sequenceId, enrolmentId, status, pending, sentStep } = enrolment;
  if (status === 'stopped' || (status === 'finished' && reason !== 'turned_off')) return [];
  const mailId = pending === null || pending.mailId === settled ? null : pending.mailId;
  return [
    {
      type: 'SequenceStopped',
      data: { userId: userId ?? '', sequenceId, enrolmentId, reason, mailId, stepNumber: sentStep, stoppedAt: at },
    },
  ];
}

/** Those that were queued again go with their sequence, even if it has finished. */
function skipRequeued(
  state: SequenceMailsState,
  enrolment: Enrolment,
  { at, settled }: Omit<Stopping, 'reason'>,
): readonly SequenceMailsEvent[] {
  const waiting = enrolment.missed.filter(({ again, mailId }) => again && mailId !== settled);
  return waiting.map((mail) => ({
    type: 'SequenceMailSkipped',
    data: { ...stepOf(state, { enrolment, mail }), skippedAt: at },
  }));
}

const endOf = (state: SequenceMailsState, enrolment: Enrolment, stopping: Stopping): readonly SequenceMailsEvent[] => [
  ...skipRequeued(state, enrolment, stopping),
  ...stopOf(state, enrolment, stopping),
];

/** No effect while it is pending. It keeps the day of its last attempt, so that it may still be sent that day. */
function requeue(
  { mailId, at }: Command<'RequeueSequenceMail'>,
  state: SequenceMailsState,
): readonly SequenceMailsEvent[] {
  if (pendingMail(state, mailId)) return [];
  const enrolment = state.enrolments.find(({ missed }) => missed.some((each) => each.mailId === mailId));
  const mail = enrolment?.missed.find((each) => each.mailId === mailId);
  if (!enrolment || !mail) throw new DomainError('WORK_NOT_RETRYABLE', 'This email was not given up.');
  if (enrolment.status === 'stopped')
    throw new DomainError('WORK_NOT_RETRYABLE', 'Its sequence has been stopped for this user.');
  return [{ type: 'SequenceMailRequeued', data: { ...stepOf(state, { enrolment, mail }), requeuedAt: at } }];
}

/**
 * A user who turns off these emails after the last one of a sequence did so because of that one, unless another
 * sequence is still open.
 */
function stop(
  { reason, enrolmentId, at }: Command<'StopSequenceMails'>,
  state: SequenceMailsState,
): readonly SequenceMailsEvent[] {
  const open = state.enrolments.filter(
    (each) => each.status === 'open' && (enrolmentId === undefined || each.enrolmentId === enrolmentId),
  );
  const [last] = state.enrolments
    .filter(({ sentAt }) => sentAt !== null)
    .toSorted((a, b) => descending(a.sentAt ?? '', b.sentAt ?? ''));
  const stopped = open.length === 0 && reason === 'turned_off' && last ? [last] : open;
  const inScope = state.enrolments.filter((each) => enrolmentId === undefined || each.enrolmentId === enrolmentId);
  return [
    ...inScope.flatMap((each) => skipRequeued(state, each, { at })),
    ...stopped.flatMap((each) => stopOf(state, each, { reason, at })),
  ];
}

function close(
  { userId, at }: Command<'CloseSequenceMails'>,
  state: SequenceMailsState,
): readonly SequenceMailsEvent[] {
  if (state.closed) return [];
  const enrolmentIds = state.enrolments.map(({ enrolmentId }) => enrolmentId);
  return [
    ...state.enrolments.flatMap((each) => endOf(state, each, { reason: 'account_deleted', at })),
    { type: 'SequenceMailsClosed', data: { userId, enrolmentIds, mailIds: state.mailIds, closedAt: at } },
  ];
}
