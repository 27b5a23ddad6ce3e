/** Enrolls users in sequences and schedules their next emails. */

import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { type SequenceStopReason, sequenceMailsStream, sequenceStream } from '../../domain/sequence/events.ts';
import { type SequenceMailsCommand, sequenceMailsDecider, stepAfter } from '../../domain/sequence/mails.ts';
import { sequenceDecider } from '../../domain/sequence/sequence.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type Position, START } from '../../eventStore/eventStore.ts';
import type { SequenceTrigger } from '../../model/sequences.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadHistory, loadState } from '../handle.ts';

type Enrolling = {
  readonly userId: string;
  readonly sequenceId: string;
  readonly trigger: SequenceTrigger;
  readonly triggeredAt: string;
};

/**
 * Enrolls the user, unless the account is older than the sequence's activation, the user turned such emails off, the
 * address bounced, or the user was enrolled before. Compares log positions rather than clocks. Returns whether it
 * enrolled the user.
 */
export async function enrol(
  ctx: CommandContext,
  { userId, sequenceId, trigger, triggeredAt }: Enrolling,
): Promise<boolean> {
  const sequence = await loadHistory(ctx.store, sequenceDecider, sequenceStream(sequenceId));
  if (sequence.state.status !== 'there' || !sequence.state.isActive || sequence.state.trigger !== trigger) return false;
  const activated = eventsOf(sequence.events, 'SequenceActivated').at(-1)?.position;
  const account = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const [registered] = eventsOf(account.events, 'AccountRegistered');
  if (
    account.state.status !== 'active' ||
    !registered ||
    activated === undefined ||
    comparePositions(registered.position, activated) < 0
  )
    return false;
  if (account.state.unwantedMails.includes('sequence')) return false;
  if (trigger === 'sign_up' && account.state.emailProof !== 'confirmed') return false;
  const readable = eventsOf(account.events, 'AccountEmailChanged').at(-1)?.position ?? START;
  if (comparePositions(await lastBounce(ctx, userId), readable) > 0) return false;
  const enrolmentId = derivedId('enrolment', userId, sequenceId);
  const command: SequenceMailsCommand = {
    type: 'Enrol',
    userId,
    sequenceId,
    enrolmentId,
    trigger,
    triggeredAt,
    at: ctx.now(),
  };
  return (await handle(ctx, sequenceMailsDecider, sequenceMailsStream(userId), command)).events.length > 0;
}

/** Log position of the user's last bounce; START if there is none. */
async function lastBounce(ctx: CommandContext, userId: string): Promise<Position> {
  const { events } = await loadHistory(ctx.store, sequenceMailsDecider, sequenceMailsStream(userId));
  return eventsOf(events, 'SequenceMailFailed').findLast(({ data }) => data.reason === 'refused')?.position ?? START;
}

/** Schedules the next email or ends the enrollment, if neither has happened. Safe to repeat. */
export async function scheduleNext(
  ctx: CommandContext,
  { userId, enrolmentId }: { readonly userId: string; readonly enrolmentId: string },
): Promise<void> {
  const stream = sequenceMailsStream(userId);
  const { state } = await loadState(ctx.store, sequenceMailsDecider, stream);
  const enrolment = state.enrolments.find((each) => each.enrolmentId === enrolmentId);
  if (enrolment?.status !== 'open' || enrolment.pending !== null) return;
  const { state: sequence } = await loadState(ctx.store, sequenceDecider, sequenceStream(enrolment.sequenceId));
  if (sequence.status !== 'there' || !sequence.isActive)
    return void (await stopSequenceMails(ctx, { userId, enrolmentId, reason: 'sequence_off' }));
  const step = stepAfter(sequence.templates, enrolment.done);
  const next = step && { ...step, mailId: derivedId(enrolmentId, step.templateId) };
  const { stepNumber: after } = enrolment.done;
  await handle(ctx, sequenceMailsDecider, stream, { type: 'ScheduleNext', enrolmentId, after, next, at: ctx.now() });
}

type Stopping = { readonly userId: string; readonly reason: SequenceStopReason; readonly enrolmentId?: string };

/** Stops one enrollment, or all of the user's. Pending emails are not sent. Safe to repeat. */
export async function stopSequenceMails(
  ctx: CommandContext,
  { userId, ...stopping }: Stopping,
): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, sequenceMailsDecider, sequenceMailsStream(userId), {
    type: 'StopSequenceMails',
    ...stopping,
    at: ctx.now(),
  });
  return { position };
}

/**
 * Runs when the account is deleted: nothing is pending afterward, and no events follow. Earlier events stay, like those
 * of other emails: they contain only ids and times. Safe to repeat.
 */
export async function closeSequenceMails(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = sequenceMailsStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  return (await handle(ctx, sequenceMailsDecider, stream, { type: 'CloseSequenceMails', userId, at: ctx.now() }))
    .position;
}
