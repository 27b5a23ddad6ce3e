/** Mails of sequences: pending from when one is scheduled, not before it is due, until it was sent, is skipped, failed, or its sequence ended for that user. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import { deliverSequenceMail, type SequenceMailDeps } from '../../workers/mails/sequences/deliverSequenceMail.ts';
import { on, type WorkKind, type WorkRule } from '../kind.ts';
import { fullJitter } from '../retry.ts';

export const SEQUENCE_MAIL = 'sequenceMail';

export const sequenceMailRule: WorkRule = {
  kind: SEQUENCE_MAIL,
  opens: on('SequenceMailScheduled', ({ data: { mailId, userId, dueAt } }) => ({ itemId: mailId, lane: userId, dueAt })),
  closes: {
    ...on(['SequenceMailSent', 'SequenceMailFailed', 'SequenceMailSkipped'], ({ data }) => data.mailId),
    ...on('SequenceStopped', ({ data }) => data.mailId),
  },
  defers: on('SequenceMailPutOff', ({ data: { mailId, dueAt } }) => ({ itemId: mailId, dueAt })),
};

/** Few: a mail server that hangs with these must not be asked for more, and nobody waits for them. */
const PARALLEL = 2;
/** After an outage of days nobody is written to about what was meant for then. */
const EXPIRES_AFTER_MS = 3 * 24 * 60 * 60 * 1_000;

export function sequenceMailKind(deps: SequenceMailDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: sequenceMailRule,
    parallel: PARALLEL,
    parallelOfLane: 1,
    // A mail has one step.
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
