/** Giving up a work item of any kind, by its worker after failed attempts or by an operator. */

import { accountExportDecider } from '../../domain/accountExport/accountExport.ts';
import { exportsStream } from '../../domain/accountExport/events.ts';
import { type Decider, DomainError, type DomainEvent } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { mailStream } from '../../domain/mail/events.ts';
import { mailDecider } from '../../domain/mail/mail.ts';
import { causeOf } from '../../domain/mail/resend.ts';
import { promptTrialStream } from '../../domain/promptTrial/events.ts';
import { promptTrialDecider } from '../../domain/promptTrial/promptTrial.ts';
import { providerEventStream } from '../../domain/providerEvent/events.ts';
import { providerEventDecider } from '../../domain/providerEvent/providerEvent.ts';
import { reworkStream } from '../../domain/rework/events.ts';
import { reworkDecider } from '../../domain/rework/rework.ts';
import { sequenceMailsStream } from '../../domain/sequence/events.ts';
import { outcomeCommand, sequenceMailsDecider } from '../../domain/sequence/mails.ts';
import { deliveryDecider } from '../../domain/webhooks/delivery.ts';
import { deliveryStream } from '../../domain/webhooks/events.ts';
import { followUpStream } from '../../domain/work/events.ts';
import { followUpDecider } from '../../domain/work/followUp.ts';
import type { EventStore, Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { handleOnce } from '../handleOnce.ts';
import { mailKindOf } from '../mail/mailOf.ts';

/**
 * `late`: its time limit has passed. `vanished`: several processes died working on it. `dropped`: an operator decided
 * so.
 */
export type WhyGivenUp = 'late' | 'failed' | 'vanished' | 'dropped';

/** The event that opened an item: its type and location. */
type Opener = { readonly type: string; readonly id?: string; readonly stream?: string; readonly revision?: string };

/** A work item as listed. */
export type PendingItem = {
  readonly kind: string;
  readonly itemId: string;
  readonly lane: string;
  readonly opener: Opener;
};

export type GivenUp = { readonly events: readonly object[]; readonly position: Position };

/** Shown to the owner of an audit. */
export const GIVEN_UP =
  'Something went wrong on our side, several times. Your audit was given back; please submit the address again later.';
const DROPPED_AUDIT =
  'This audit was stopped by an operator. It was given back; please submit the address again later.';

const REWORK_TEXT: Readonly<Record<WhyGivenUp, string>> = {
  late: 'This was not begun in time. Please try again.',
  failed: 'Something went wrong on our side, several times. Please try again later.',
  vanished: 'Something went wrong on our side, several times. Please try again later.',
  dropped: 'This was stopped by an operator. Please try again later.',
};

/**
 * How the event is written: by a holder, at exactly the revision that it folded; by an operator, regardless of the
 * holder.
 */
type Write = <State, Command extends { readonly type: string }, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  stream: string,
  command: Command,
) => Promise<GivenUp | null>;

type GiveUp = (
  item: PendingItem,
  why: WhyGivenUp,
  at: string,
  write: Write,
  store: EventStore,
) => Promise<GivenUp | null>;

/**
 * By kind of work: the event that closes the pending item. Its consequences (an audit given back, an email) follow as
 * from any other event.
 */
const GIVE_UPS: Readonly<Record<string, GiveUp>> = {
  audit: ({ itemId }, why, at, write) =>
    write(jobDecider, jobStream(itemId), {
      type: 'FailJob',
      code: 'INTERNAL',
      reason: why === 'dropped' ? DROPPED_AUDIT : GIVEN_UP,
      at,
    }),
  mail: ({ itemId, lane, opener }, why, at, write) => {
    const given = {
      mailId: itemId,
      userId: lane,
      reason: why === 'late' ? ('too_old' as const) : ('given_up' as const),
      at,
    };
    // The original email's stream has the rest.
    if (opener.type === 'MailRequeued') return write(mailDecider, mailStream(itemId), { type: 'DropMail', ...given });
    // A disabled webhook's reason is not needed here: an owner's action never opens an email.
    const kind = mailKindOf({ type: opener.type, data: {} });
    if (kind === null) throw new DomainError('NO_SUCH_WORK', `No mail follows from ${opener.type}.`);
    const cause = causeOf(opener);
    return write(mailDecider, mailStream(itemId), { type: 'DropMail', ...given, kind, ...(cause ? { cause } : {}) });
  },
  webhook: ({ itemId }, why, at, write) => {
    const error = why === 'dropped' ? 'An operator dropped it.' : 'It could not be sent.';
    return write(deliveryDecider, deliveryStream(itemId), { type: 'GiveUpDelivery', error, at });
  },
  rework: ({ itemId }, why, at, write) =>
    write(reworkDecider, reworkStream(itemId), {
      type: 'GiveUpRework',
      code: 'GIVEN_UP',
      reason: REWORK_TEXT[why],
      at,
    }),
  promptTrial: ({ itemId }, why, at, write) =>
    write(promptTrialDecider, promptTrialStream(itemId), {
      type: 'GiveUpPromptTrial',
      code: 'GIVEN_UP',
      reason: REWORK_TEXT[why],
      at,
    }),
  accountExport: ({ itemId }, why, at, write) =>
    write(accountExportDecider, exportsStream(itemId), {
      type: 'FailExport',
      code: 'GIVEN_UP',
      reason: REWORK_TEXT[why],
      at,
    }),
  providerEvent: ({ itemId }, _why, at, write) =>
    write(providerEventDecider, providerEventStream(itemId), {
      type: 'IgnoreProviderEvent',
      userId: null,
      reason: 'given_up',
      at,
    }),
  sequenceMail: async ({ itemId, lane }, why, at, write, store) => {
    // Its holder may have died after sending it.
    const { outcome } = (await loadState(store, mailDecider, mailStream(itemId))).state;
    const command = outcomeCommand(itemId, outcome ?? (why === 'late' ? 'too_old' : 'given_up'), at);
    return write(sequenceMailsDecider, sequenceMailsStream(lane), command);
  },
  followUp: ({ itemId }, _why, at, write) =>
    write(followUpDecider, followUpStream(itemId), { type: 'DropFollowUp', reason: 'dropped', at }),
};

/**
 * For an operator: writes the event with which the kind gives up, regardless of the holder.
 * @throws DomainError NO_SUCH_WORK; or why its subject cannot be ended
 */
export async function dropPending(ctx: CommandContext, item: PendingItem): Promise<GivenUp> {
  const write: Write = (decider, stream, command) => handle(ctx, decider, stream, command);
  const given = await giveUpOf(item)(item, 'dropped', ctx.now(), write, ctx.store);
  if (given === null) throw new Error('An operator waits for nobody.');
  return given;
}

/** Error codes meaning that there is nothing to end. */
const OVER = new Set(['JOB_ALREADY_FINISHED', 'JOB_NOT_FOUND']);

/**
 * For a holder: folds the stream, checks that the item is still held, then writes the event at exactly the folded
 * revision. So it only ever gives up the stream's latest attempt, never one that another worker has started since.
 * Returns the end position of the item's stream; null if there was a concurrent write.
 */
export async function giveUpHeld(
  ctx: CommandContext,
  item: PendingItem,
  why: WhyGivenUp,
  held: () => boolean,
): Promise<Position | null> {
  const write: Write = async (decider, stream, command) => {
    const loaded = await loadState(ctx.store, decider, stream);
    if (!held()) throw new Error('Another worker may have the item by now.');
    try {
      return await handleOnce(ctx, decider, stream, command, loaded);
    } catch (error) {
      if (!(error instanceof DomainError && OVER.has(error.code))) throw error;
      return { events: [], position: loaded.position };
    }
  };
  return (await giveUpOf(item)(item, why, ctx.now(), write, ctx.store))?.position ?? null;
}

function giveUpOf({ kind }: PendingItem): GiveUp {
  const giveUp = Object.hasOwn(GIVE_UPS, kind) ? GIVE_UPS[kind] : undefined;
  if (!giveUp) throw new DomainError('NO_SUCH_WORK', `There is no kind of work called ${kind}.`);
  return giveUp;
}
