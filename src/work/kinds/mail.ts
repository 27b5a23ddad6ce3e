/**
 * Emails: pending from the event that triggers one until it was sent or dropped. The log records the outcome for each
 * event.
 */
import { MAIL_OF_EVENT, mailIdOf, mailKindOf } from '../../commands/mail/mailOf.ts';
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { MailKind } from '../../domain/mail/events.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import { type DeliverDeps, deliverMail, dropMail, type MailOutcome } from '../../workers/mails/deliverMail.ts';
import {
  fullJitter,
  type Opening,
  on,
  type WorkItem,
  type WorkKind,
  type WorkOutcome,
  type WorkRule,
} from '../kind.ts';
import { readEvent, readOpener } from '../opener.ts';

export const MAIL = 'mail';

/**
 * Anyone can have these emails sent to any number of addresses: they share half of the slots, so that the emails of
 * people who have proven theirs do not wait for them.
 */
const UNPROVEN = 'unproven addresses';

function isToUnproven(event: RecordedEvent): boolean {
  if (isOf(event, 'AccountEmailConfirmationAsked')) return true;
  return isOf(event, 'PasswordResetAsked', 'LogInMailAsked') && event.data.unproven === true;
}

/** Job ends from before events named their owner each get a lane of their own. */
function opens(event: RecordedEvent): Opening | null {
  const itemId = mailIdOf(event);
  if (itemId === null) return null;
  const { userId, jobId }: { readonly userId?: unknown; readonly jobId?: unknown } = event.data;
  const lane = [userId, jobId].find((id) => typeof id === 'string') ?? itemId;
  const opening = { itemId, lane, ...(isToUnproven(event) ? { network: UNPROVEN } : {}) };
  return isOf(event, 'SubscriptionCancelScheduled')
    ? { ...opening, dueAt: remindAt(event.data.cancelsAt, event.metadata.at) }
    : opening;
}

/** How long before the end of a plan the reminder is sent, ms. */
const REMINDED_MS = 3 * 24 * 60 * 60 * 1_000;

/** Immediately if the end is already near. */
function remindAt(cancelsAt: string, now: string): string {
  return new Date(Math.max(Date.parse(cancelsAt) - REMINDED_MS, Date.parse(now))).toISOString();
}

export const mailRule: WorkRule = {
  kind: MAIL,
  opens: {
    ...Object.fromEntries(Object.keys(MAIL_OF_EVENT).map((type) => [type, opens])),
    ...on('MailRequeued', ({ data }) => ({ itemId: data.mailId, lane: data.userId })),
  },
  closes: on(['MailSent', 'MailDropped'], ({ data }) => data.mailId),
};

/**
 * Older events trigger no email: after an outage of days, or when email is enabled on an installation that has run
 * without it.
 */
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1_000;
const PARALLEL = 4;
/** Per user, so that one user with many emails does not hold up many users with few. */
const PARALLEL_OF_A_USER = 2;
/** Delay before re-checking whether a batch is complete, ms. */
const WAIT_MS = 60_000;

export function mailKind(
  deps: DeliverDeps & { readonly log: { info(details: object, text: string): void } },
  options: { readonly random: () => number },
): WorkKind {
  const toOutcome = (done: MailOutcome): WorkOutcome =>
    done.outcome === 'settled'
      ? { outcome: 'settled', position: done.position }
      : { outcome: 'later', notBefore: new Date(Date.parse(deps.now()) + WAIT_MS).toISOString() };
  const factsOf = ({ itemId, lane, opener }: WorkItem, requeued: MailKind | undefined) => {
    // The reason for a disabled webhook is not needed here: the owner's own action opened nothing.
    const kind = requeued ?? (mailKindOf({ type: opener.type, data: {} }) as MailKind);
    return { mailId: itemId, userId: lane, kind };
  };
  return {
    rule: mailRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_USER,
    // An email has a single step.
    stepsEnded: async () => 0,
    perform: async (item, { held }) => {
      const { store } = deps.context(item.opener);
      const opener = await readOpener(store, item);
      const requeued = opener && isOf(opener, 'MailRequeued') ? opener.data : null;
      const event = requeued ? await readEvent(store, requeued.cause.stream, requeued.cause.revision) : opener;
      if (!event || mailIdOf(event) !== item.itemId)
        return toOutcome(await dropMail(deps, factsOf(item, requeued?.kind), { cause: item.opener, reason: 'gone' }));
      const done = await deliverMail(deps, event, held);
      if (done.outcome === 'settled') deps.log.info({ mail: mailKindOf(event) }, 'a mail was settled');
      return toOutcome(done);
    },
    retryAfterMs: fullJitter(options.random),
    expiresAfterMs: EXPIRES_AFTER_MS,
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
  };
}
