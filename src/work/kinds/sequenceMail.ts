/**
 * Sequence emails: pending from scheduling, not before they are due, until sent, skipped or failed, or until the
 * sequence ended for that user.
 */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import { deliverSequenceMail, type SequenceMailDeps } from '../../workers/mails/sequences/deliverSequenceMail.ts';
import { fullJitter, on, type WorkKind, type WorkRule } from '../kind.ts';

export const SEQUENCE_MAIL = 'sequenceMail';

export const sequenceMailRule: WorkRule = {
  kind: SEQUENCE_MAIL,
  opens: {
    ...on('SequenceMailScheduled', ({ data: { mailId, userId, dueAt } }) => ({ itemId: mailId, lane: userId, dueAt })),
    ...on('SequenceMailRequeued', ({ data: { mailId, userId } }) => ({ itemId: mailId, lane: userId })),
  },
  closes: {
    ...on(['SequenceMailSent', 'SequenceMailFailed', 'SequenceMailSkipped'], ({ data }) => data.mailId),
    ...on('SequenceStopped', ({ data }) => data.mailId),
  },
  defers: on('SequenceMailPutOff', ({ data: { mailId, dueAt } }) => ({ itemId: mailId, dueAt })),
};

/** Few, since they are not urgent and must not add load to a hanging mail server. */
const PARALLEL = 2;
/** After an outage of days, outdated emails are not sent. */
const EXPIRES_AFTER_MS = 3 * 24 * 60 * 60 * 1_000;

export function sequenceMailKind(deps: SequenceMailDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: sequenceMailRule,
    parallel: PARALLEL,
    parallelOfLane: 1,
    // An email has a single step.
    stepsEnded: async () => 0,
    perform: async ({ itemId, lane, opener }, { held }) => {
      const done = await deliverSequenceMail(deps, { userId: lane, mailId: itemId, cause: opener }, held);
      return done.outcome === 'settled' ? done : { outcome: 'later', notBefore: done.until };
    },
    retryAfterMs: fullJitter(options.random),
    expiresAfterMs: EXPIRES_AFTER_MS,
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
  };
}
