/** Who gets the mails of a sequence, and which of them comes next. */
import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import type { SequenceStopReason } from '../../domain/sequence/events.ts';
import { type SequenceMailsCommand, sequenceMailsDecider, sequenceMailsStream, stepAfter } from '../../domain/sequence/mails.ts';
import { sequenceDecider, sequenceStream } from '../../domain/sequence/sequence.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type Position, START } from '../../eventStore/eventStore.ts';
import type { SequenceTrigger } from '../../model/sequences.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadHistory, loadState } from '../handle.ts';

type Enrolling = { readonly userId: string; readonly sequenceId: string; readonly trigger: SequenceTrigger; readonly triggeredAt: string };

/**
 * Unless the account is older than the sequence's activation, its user wants no such mails, no server took one for its address, or it was enrolled before.
 * By the log's order, whatever the clocks said. Answers whether it was.
 */
export async function enrol(ctx: CommandContext, { userId, sequenceId, trigger, triggeredAt }: Enrolling): Promise<boolean> {
  const sequence = await loadHistory(ctx.store, sequenceDecider, sequenceStream(sequenceId));
  if (sequence.state.status !== 'there' || !sequence.state.isActive || sequence.state.trigger !== trigger) return false;
  const activated = eventsOf(sequence.events, 'SequenceActivated').at(-1)?.position;
  const account = await loadHistory(ctx.store, accountDecider, accountStream(userId));
  const [registered] = eventsOf(account.events, 'AccountRegistered');
  if (account.state.status !== 'active' || !registered || activated === undefined || comparePositions(registered.position, activated) < 0) return false;
  if (account.state.unwantedMails.includes('sequence')) return false;
  if (trigger === 'sign_up' && account.state.emailProof !== 'confirmed') return false;
  const readable = eventsOf(account.events, 'AccountEmailChanged').at(-1)?.position ?? START;
  if (comparePositions(await lastBounce(ctx, userId), readable) > 0) return false;
  const enrolmentId = derivedId('enrolment', userId, sequenceId);
  const command: SequenceMailsCommand = { type: 'Enrol', userId, sequenceId, enrolmentId, trigger, triggeredAt, at: ctx.now() };
  return (await handle(ctx, sequenceMailsDecider, sequenceMailsStream(userId), command)).events.length > 0;
}

/** Where the log says that no server takes mail for the user's address; its start when it never did. */
async function lastBounce(ctx: CommandContext, userId: string): Promise<Position> {
  const { events } = await loadHistory(ctx.store, sequenceMailsDecider, sequenceMailsStream(userId));
  return eventsOf(events, 'SequenceMailFailed').findLast(({ data }) => data.reason === 'refused')?.position ?? START;
}

/** The next mail, or the end, of an enrolment that waits for neither. Safe to repeat. */
export async function scheduleNext(ctx: CommandContext, { userId, enrolmentId }: { readonly userId: string; readonly enrolmentId: string }): Promise<void> {
  const stream = sequenceMailsStream(userId);
  const { state } = await loadState(ctx.store, sequenceMailsDecider, stream);
  const enrolment = state.enrolments.find((each) => each.enrolmentId === enrolmentId);
  if (enrolment?.status !== 'open' || enrolment.pending !== null) return;
  const { state: sequence } = await loadState(ctx.store, sequenceDecider, sequenceStream(enrolment.sequenceId));
  if (sequence.status !== 'there' || !sequence.isActive) return void (await stopSequenceMails(ctx, { userId, enrolmentId, reason: 'sequence_off' }));
  const step = stepAfter(sequence.templates, enrolment.done);
  const next = step && { ...step, mailId: derivedId(enrolmentId, step.templateId) };
  const { stepNumber: after } = enrolment.done;
  await handle(ctx, sequenceMailsDecider, stream, { type: 'ScheduleNext', enrolmentId, after, next, at: ctx.now() });
}

type Stopping = { readonly userId: string; readonly reason: SequenceStopReason; readonly enrolmentId?: string };

/** Of one enrolment, or of all that the user has. What was to be next is not sent any more. Safe to repeat. */
export async function stopSequenceMails(ctx: CommandContext, { userId, ...stopping }: Stopping): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, sequenceMailsDecider, sequenceMailsStream(userId), { type: 'StopSequenceMails', ...stopping, at: ctx.now() });
  return { position };
}

/** With the account: nothing of it is pending then, and nothing follows. Its events stay, as those of mails do: they hold ids and times. Safe to repeat. */
export async function closeSequenceMails(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = sequenceMailsStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  return (await handle(ctx, sequenceMailsDecider, stream, { type: 'CloseSequenceMails', userId, at: ctx.now() })).position;
}
