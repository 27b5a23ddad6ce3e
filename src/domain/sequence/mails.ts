/** The sequence emails of one user: which come next and when, at most one per day, and their outcomes. */
import type { SequenceTrigger } from '../../model/sequences.ts';
import { type Decider, unreachable } from '../decider.ts';
import type { SequenceMailFailure, SequenceMailsEvent, SequenceStopReason, SequenceTemplate } from './events.ts';

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

/** The step after the last completed one. */
export type NextStep = { readonly mailId: string; readonly templateId: string; readonly stepNumber: number; readonly dueAt: string };

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
  | { readonly type: 'ScheduleNext'; readonly enrolmentId: string; readonly after: number; readonly next: NextStep | null; readonly at: string }
  /** Reserves the day for it, or postpones it if another email has that day. */
  | { readonly type: 'StartSequenceMail'; readonly mailId: string; readonly at: string }
  /** Its due time has moved, and all later steps with it. */
  | { readonly type: 'MoveSequenceMail'; readonly mailId: string; readonly dueAt: string; readonly at: string }
  | { readonly type: 'MarkSequenceMailSent'; readonly mailId: string; readonly at: string }
  | { readonly type: 'FailSequenceMail'; readonly mailId: string; readonly reason: SequenceMailFailure; readonly at: string }
  | { readonly type: 'SkipSequenceMail'; readonly mailId: string; readonly at: string }
  /** One enrollment, or all. */
  | { readonly type: 'StopSequenceMails'; readonly reason: SequenceStopReason; readonly enrolmentId?: string; readonly at: string }
  | { readonly type: 'CloseSequenceMails'; readonly userId: string; readonly at: string };

type Command<Type extends SequenceMailsCommand['type']> = Extract<SequenceMailsCommand, { readonly type: Type }>;

export const sequenceMailsStream = (userId: string): string => `delivery-${userId}`;

const DAY_MS = 24 * 60 * 60 * 1_000;
const later = (at: string, days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();
const dayOf = (at: string): string => at.slice(0, 10);

/** The step after the last completed one. The delay of an inactive step counts, although nothing is sent. Null if no steps are left. */
export function stepAfter(templates: readonly SequenceTemplate[], { stepNumber, plannedAt }: Enrolment['done']): Omit<NextStep, 'mailId'> | null {
  let dueAt = plannedAt;
  for (const template of templates.toSorted((a, b) => a.stepNumber - b.stepNumber)) {
    if (template.stepNumber <= stepNumber) continue;
    dueAt = later(dueAt, template.delayDays);
    if (template.isActive) return { templateId: template.templateId, stepNumber: template.stepNumber, dueAt };
  }
  return null;
}

function evolve(state: SequenceMailsState, event: SequenceMailsEvent): SequenceMailsState {
  switch (event.type) {
    case 'SequenceEnrolled': {
      const { userId, sequenceId, enrolmentId, trigger, triggeredAt } = event.data;
      const progress = { status: 'open', pending: null, inHand: null, done: { stepNumber: 0, plannedAt: triggeredAt }, sentStep: 0, sentAt: null } as const;
      return { ...state, userId, enrolments: [...state.enrolments, { sequenceId, enrolmentId, trigger, triggeredAt, ...progress }] };
    }
    case 'SequenceMailScheduled': {
      const { enrolmentId, mailId, templateId, stepNumber, dueAt } = event.data;
      const scheduled = changed(state, enrolmentId, () => ({ pending: { mailId, templateId, stepNumber, plannedAt: dueAt, dueAt, day: null } }));
      return { ...scheduled, mailIds: [...state.mailIds, mailId] };
    }
    case 'SequenceMailPutOff':
      return putOff(state, event.data);
    case 'SequenceMailStarted': {
      const { enrolmentId, day } = event.data;
      return { ...changed(state, enrolmentId, ({ pending }) => ({ pending: pending && { ...pending, day } })), lastDay: day };
    }
    case 'SequenceMailSent': {
      const { enrolmentId, stepNumber, sentAt } = event.data;
      return changed(state, enrolmentId, (enrolment) => ({ ...doneWith(enrolment), inHand: null, sentStep: stepNumber, sentAt }));
    }
    case 'SequenceMailFailed':
    case 'SequenceMailSkipped':
      return changed(state, event.data.enrolmentId, doneWith);
    case 'SequenceFinished':
      return changed(state, event.data.enrolmentId, () => ({ status: 'finished' }));
    case 'SequenceStopped':
      return changed(state, event.data.enrolmentId, ({ pending, inHand }) => ({ status: 'stopped', pending: null, inHand: pending?.day ? pending : inHand }));
    case 'SequenceMailsClosed':
      return { userId: event.data.userId, enrolments: [], lastDay: null, mailIds: [], closed: true };
    default:
      event satisfies never;
      return state;
  }
}

function putOff(
  state: SequenceMailsState,
  { enrolmentId, dueAt, plannedAt }: { readonly enrolmentId: string; readonly dueAt: string; readonly plannedAt: string },
) {
  return changed(state, enrolmentId, ({ pending, triggeredAt }) => {
    const movedMs = pending ? Date.parse(plannedAt) - Date.parse(pending.plannedAt) : 0;
    return { pending: pending && { ...pending, dueAt, plannedAt }, triggeredAt: new Date(Date.parse(triggeredAt) + movedMs).toISOString() };
  });
}

function changed(state: SequenceMailsState, enrolmentId: string, change: (enrolment: Enrolment) => Partial<Enrolment>): SequenceMailsState {
  return { ...state, enrolments: state.enrolments.map((each) => (each.enrolmentId === enrolmentId ? { ...each, ...change(each) } : each)) };
}

const doneWith = ({ pending, done }: Enrolment): Pick<Enrolment, 'pending' | 'done'> => ({
  pending: null,
  done: pending ? { stepNumber: pending.stepNumber, plannedAt: pending.plannedAt } : done,
});

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
      return onStep(state, mailId, (step) => [{ type: 'SequenceMailPutOff', data: { ...step, dueAt, plannedAt: dueAt, putOffAt: at } }]);
    }
    case 'MarkSequenceMailSent':
      return markSent(command, state);
    case 'FailSequenceMail': {
      const { mailId, reason } = command;
      return onStep(state, mailId, (step) => [
        { type: 'SequenceMailFailed', data: { ...step, reason, failedAt: at } },
        ...(reason === 'refused' ? state.enrolments.flatMap((each) => stopOf(state, each, { reason: 'bounced', at, settled: mailId })) : []),
      ]);
    }
    case 'SkipSequenceMail':
      return onStep(state, command.mailId, (step) => [{ type: 'SequenceMailSkipped', data: { ...step, skippedAt: at } }]);
    case 'StopSequenceMails':
      return stop(command, state);
    case 'CloseSequenceMails':
      return close(command, state);
    default:
      return unreachable(command);
  }
}

export const sequenceMailsDecider: Decider<SequenceMailsState, SequenceMailsCommand, SequenceMailsEvent> = {
  initialState: () => ({ userId: null, enrolments: [], lastDay: null, mailIds: [], closed: false }),
  evolve,
  decide,
};

type Found = { readonly enrolment: Enrolment; readonly mail: PendingMail };

/** The enrollment whose pending email this is; null if it is settled or never existed. */
export function pendingMail({ enrolments }: SequenceMailsState, mailId: string): Found | null {
  for (const enrolment of enrolments) if (enrolment.pending?.mailId === mailId) return { enrolment, mail: enrolment.pending };
  return null;
}

function stepOf({ userId }: SequenceMailsState, { enrolment, mail }: Found) {
  const { sequenceId, enrolmentId } = enrolment;
  return { userId: userId ?? '', sequenceId, enrolmentId, mailId: mail.mailId, templateId: mail.templateId, stepNumber: mail.stepNumber };
}

function onStep(
  state: SequenceMailsState,
  mailId: string,
  events: (step: ReturnType<typeof stepOf>) => readonly SequenceMailsEvent[],
): readonly SequenceMailsEvent[] {
  const found = pendingMail(state, mailId);
  return found ? events(stepOf(state, found)) : [];
}

function scheduleNext({ enrolmentId, after, next, at }: Command<'ScheduleNext'>, state: SequenceMailsState): readonly SequenceMailsEvent[] {
  const enrolment = state.enrolments.find((each) => each.enrolmentId === enrolmentId);
  if (enrolment?.status !== 'open' || enrolment.pending !== null || enrolment.done.stepNumber !== after) return [];
  const common = { userId: state.userId ?? '', sequenceId: enrolment.sequenceId, enrolmentId };
  if (next === null) return [{ type: 'SequenceFinished', data: { ...common, finishedAt: at } }];
  return [{ type: 'SequenceMailScheduled', data: { ...common, ...next, scheduledAt: at } }];
}

/** Setting the clock back does not allow a second email on the same day. (A last day further ahead came from a wrong clock.) */
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
  return [{ type: 'SequenceMailPutOff', data: { ...step, dueAt: `${nextDay}${mail.dueAt.slice(10)}`, plannedAt: mail.plannedAt, putOffAt: at } }];
}

/** Also for an enrollment that was stopped while the email was in transit. */
function markSent({ mailId, at }: Command<'MarkSequenceMailSent'>, state: SequenceMailsState): readonly SequenceMailsEvent[] {
  const enrolment = state.enrolments.find(({ pending, inHand }) => pending?.mailId === mailId || inHand?.mailId === mailId);
  const mail = enrolment?.pending?.mailId === mailId ? enrolment.pending : enrolment?.inHand;
  return enrolment && mail ? [{ type: 'SequenceMailSent', data: { ...stepOf(state, { enrolment, mail }), sentAt: at } }] : [];
}

type Stopping = { readonly reason: SequenceStopReason; readonly at: string; readonly settled?: string };

function stopOf({ userId }: SequenceMailsState, enrolment: Enrolment, { reason, at, settled }: Stopping): readonly SequenceMailsEvent[] {
  const { sequenceId, enrolmentId, status, pending, sentStep } = enrolment;
  if (status === 'stopped' || (status === 'finished' && reason !== 'turned_off')) return [];
  const mailId = pending === null || pending.mailId === settled ? null : pending.mailId;
  return [{ type: 'SequenceStopped', data: { userId: userId ?? '', sequenceId, enrolmentId, reason, mailId, stepNumber: sentStep, stoppedAt: at } }];
}

/** A user who turns off these emails after the last one of a sequence did so because of that one, unless another sequence is still open. */
function stop({ reason, enrolmentId, at }: Command<'StopSequenceMails'>, state: SequenceMailsState): readonly SequenceMailsEvent[] {
  const open = state.enrolments.filter((each) => each.status === 'open' && (enrolmentId === undefined || each.enrolmentId === enrolmentId));
  const [last] = state.enrolments.filter(({ sentAt }) => sentAt !== null).toSorted((a, b) => ((a.sentAt ?? '') < (b.sentAt ?? '') ? 1 : -1));
  const stopped = open.length === 0 && reason === 'turned_off' && last ? [last] : open;
  return stopped.flatMap((each) => stopOf(state, each, { reason, at }));
}

function close({ userId, at }: Command<'CloseSequenceMails'>, state: SequenceMailsState): readonly SequenceMailsEvent[] {
  if (state.closed) return [];
  const enrolmentIds = state.enrolments.map(({ enrolmentId }) => enrolmentId);
  return [
    ...state.enrolments.flatMap((each) => stopOf(state, each, { reason: 'account_deleted', at })),
    { type: 'SequenceMailsClosed', data: { userId, enrolmentIds, mailIds: state.mailIds, closedAt: at } },
  ];
}
