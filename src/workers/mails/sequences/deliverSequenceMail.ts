/**
 * One email of a sequence to one user, exactly once. Its day is reserved in the user's own stream, so that of two
 * emails only one is sent that day; it is then sent like any email, under a stable id; then the user's stream records
 * the outcome.
 */

import type { Cause } from '../../../commands/context.ts';
import { handle, loadState } from '../../../commands/handle.ts';
import { stopSequenceMails } from '../../../commands/sequence/enrolments.ts';
import type { ActiveAccount } from '../../../domain/account/account.ts';
import { billingDecider } from '../../../domain/billing/decide.ts';
import { billingStream } from '../../../domain/billing/events.ts';
import { tierAt } from '../../../domain/billing/subscription.ts';
import { mailStream } from '../../../domain/mail/events.ts';
import { mailDecider } from '../../../domain/mail/mail.ts';
import { type Enrolment, type PendingMail, pendingMail } from '../../../domain/sequence/enrolments.ts';
import {
  type SequenceStopReason,
  type SequenceTemplate,
  sequenceMailsStream,
  sequenceStream,
} from '../../../domain/sequence/events.ts';
import { outcomeCommand, type SequenceMailsCommand, sequenceMailsDecider } from '../../../domain/sequence/mails.ts';
import { sequenceDecider } from '../../../domain/sequence/sequence.ts';
import type { EventStore, Position } from '../../../eventStore/eventStore.ts';
import { INACTIVE_DAYS } from '../../../model/sequences.ts';
import { type DeliverDeps, sendDraft } from '../deliverMail.ts';
import { reachable } from '../draft.ts';
import { sentFooter, sequenceMail } from './sequenceMail.ts';

export type SequenceMailDeps = Omit<DeliverDeps, 'payments'> & {
  /** When the user was last active (UTC ISO); null: never. */
  readonly lastActiveAt: (userId: string) => Promise<string | null>;
};

/** `waits`: not before this time. */
export type SequenceMailOutcome =
  | { readonly outcome: 'settled'; readonly position: Position }
  | { readonly outcome: 'waits'; readonly until: string };

type Named = { readonly userId: string; readonly mailId: string; readonly cause: Cause };

/** Checks `held` before anything is sent. @throws the mailer's error when it should be retried */
export async function deliverSequenceMail(
  deps: SequenceMailDeps,
  { userId, mailId, cause }: Named,
  held: () => boolean,
): Promise<SequenceMailOutcome> {
  const ctx = deps.context(cause);
  const stream = sequenceMailsStream(userId);
  const loaded = await loadState(ctx.store, sequenceMailsDecider, stream);
  const found = pendingMail(loaded.state, mailId);
  if (!found) return { outcome: 'settled', position: loaded.position };
  const write = async (command: SequenceMailsCommand) =>
    handle(deps.context(cause), sequenceMailsDecider, stream, command);
  const settle = async (command: SequenceMailsCommand): Promise<SequenceMailOutcome> => ({
    outcome: 'settled',
    position: (await write(command)).position,
  });

  // The previous holder may have died before the user's stream recorded the outcome.
  const mail = await loadState(ctx.store, mailDecider, mailStream(mailId));
  if (mail.state.outcome !== null) return settle(outcomeCommand(mailId, mail.state.outcome, deps.now()));
  if (found.mail.dueAt > deps.now()) return { outcome: 'waits', until: found.mail.dueAt };

  const reader = await readerOf(deps, ctx.store, { userId, ...found });
  if ('stop' in reader) {
    // If the user has unsubscribed or cannot be reached, all sequences end; otherwise only this one.
    const scope =
      reader.stop === 'sequence_off' || reader.stop === 'came_back' || reader.stop === 'subscribed'
        ? { enrolmentId: found.enrolment.enrolmentId }
        : {};
    return {
      outcome: 'settled',
      position: (await stopSequenceMails(deps.context(cause), { userId, reason: reader.stop, ...scope })).position,
    };
  }
  if ('moveTo' in reader) {
    await write({ type: 'MoveSequenceMail', mailId, dueAt: reader.moveTo, at: deps.now() });
    return { outcome: 'waits', until: reader.moveTo };
  }
  if ('skip' in reader) return settle({ type: 'SkipSequenceMail', mailId, at: deps.now() });

  if (!held()) throw new Error('Another worker may have the mail by now.');
  const begun = await write({ type: 'StartSequenceMail', mailId, at: deps.now() });
  const own = pendingMail(begun.state, mailId);
  if (!own) return { outcome: 'settled', position: begun.position };
  if (own.mail.dueAt > deps.now()) return { outcome: 'waits', until: own.mail.dueAt };

  const { account, template } = reader;
  const draft = {
    userId,
    to: account.email,
    canTurnOff: true,
    write: (unsubscribeUrl: string) => sequenceMail(deps, template, account, sentFooter(deps, unsubscribeUrl)),
  };
  const sent = await sendDraft(deps, { mailId, userId, kind: 'sequence' }, draft, { cause, loaded: mail, held });
  if (sent.outcome === 'waits') return { outcome: 'waits', until: deps.now() };
  const { state } = await loadState(ctx.store, mailDecider, mailStream(mailId));
  return settle(outcomeCommand(mailId, state.outcome ?? 'given_up', deps.now()));
}

type Over = { readonly stop: SequenceStopReason } | { readonly moveTo: string };
type Reader = { readonly account: ActiveAccount; readonly template: SequenceTemplate } | Over | { readonly skip: true };
type Waiting = { readonly userId: string; readonly enrolment: Enrolment; readonly mail: PendingMail };

/** Checked right before sending, from the streams: read models may lag behind. */
async function readerOf(
  deps: SequenceMailDeps,
  store: EventStore,
  { userId, enrolment, mail }: Waiting,
): Promise<Reader> {
  const account = await reachable(store, userId);
  if ('drop' in account) return { stop: account.drop === 'gone' ? 'account_deleted' : 'not_confirmed' };
  if (account.isDisabled) return { stop: 'disabled' };
  if (account.unwantedMails.includes('sequence')) return { stop: 'turned_off' };
  const { state: sequence } = await loadState(store, sequenceDecider, sequenceStream(enrolment.sequenceId));
  if (sequence.status !== 'there' || !sequence.isActive) return { stop: 'sequence_off' };
  const over = await whyOver(deps, store, { userId, enrolment, mail });
  // One that was queued again is not moved: the user is active again, and the sequence went on without it.
  if (over && 'moveTo' in over && enrolment.pending?.mailId !== mail.mailId) return { skip: true };
  if (over) return over;
  const template = sequence.templates.find(({ templateId }) => templateId === mail.templateId);
  return template?.isActive ? { account, template } : { skip: true };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Why the sequence no longer applies; null if it does. */
async function whyOver(
  deps: SequenceMailDeps,
  store: EventStore,
  { userId, enrolment, mail }: Waiting,
): Promise<Over | null> {
  const { trigger, triggeredAt, sentAt } = enrolment;
  if (trigger === 'subscription_ended') {
    const { state } = await loadState(store, billingDecider, billingStream(userId));
    return tierAt(state.subscriptions, deps.now()) === 'free' ? null : { stop: 'subscribed' };
  }
  const lastActiveAt = trigger === 'inactive_14_days' ? await deps.lastActiveAt(userId) : null;
  if (lastActiveAt === null) return null;
  if (sentAt !== null) return lastActiveAt >= sentAt ? { stop: 'came_back' } : null;
  // Nothing was sent yet: activity postpones the whole sequence.
  const quietSince = Date.parse(lastActiveAt) + INACTIVE_DAYS * DAY_MS;
  if (quietSince <= Date.parse(triggeredAt)) return null;
  const moveTo = new Date(quietSince + Date.parse(mail.plannedAt) - Date.parse(triggeredAt)).toISOString();
  return moveTo > deps.now() ? { moveTo } : null;
}
