/** Prompts that admins try on completed audits: pending from the request until answered, given up or deleted. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { PromptTrialEvent } from '../../domain/promptTrial/events.ts';
import { type PromptTrialDeps, performPromptTrial } from '../../workers/promptTrial.ts';
import { fullJitter, on, type WorkKind, type WorkRule } from '../kind.ts';

export const PROMPT_TRIAL = 'promptTrial';

export const promptTrialRule: WorkRule = {
  kind: PROMPT_TRIAL,
  opens: on('PromptTrialAsked', ({ data }) => ({ itemId: data.jobId, lane: data.adminId })),
  closes: on(['PromptTrialAnswered', 'PromptTrialGivenUp', 'PromptTrialForgotten'], ({ data }) => data.jobId),
  // An operator may give up a trial in progress, and its audit may be deleted meanwhile.
  interrupts: ['PromptTrialGivenUp', 'PromptTrialForgotten'] satisfies readonly PromptTrialEvent['type'][],
};

const PARALLEL = 2;
/** Each call costs money: one at a time per admin. */
const PARALLEL_OF_AN_ADMIN = 1;
/** A failing model is an answer, too: only our own failures are retried. */
const TRIES = 2;
/** A user is waiting; after that they can request it again. */
const EXPIRES_AFTER_MS = 10 * 60 * 1_000;

export function promptTrialKind(deps: PromptTrialDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: promptTrialRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_AN_ADMIN,
    // It has a single step.
    stepsEnded: async () => 0,
    perform: async ({ itemId, opener }, { held }, signal) => {
      const done = await performPromptTrial(deps, { jobId: itemId, cause: opener }, held, signal);
      return done.outcome === 'ended'
        ? { outcome: 'settled', position: done.position }
        : { outcome: 'later', notBefore: deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
    expiresAfterMs: EXPIRES_AFTER_MS,
  };
}
