/** Prompts that admins try on finished analyses: pending from when one is asked for until it is answered, given up or forgotten. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { PromptTrialEvent } from '../../domain/promptTrial/events.ts';
import { type PromptTrialDeps, performPromptTrial } from '../../workers/promptTrial.ts';
import { on, type WorkKind, type WorkRule } from '../kind.ts';
import { fullJitter } from '../retry.ts';

export const PROMPT_TRIAL = 'promptTrial';

export const promptTrialRule: WorkRule = {
  kind: PROMPT_TRIAL,
  opens: on('PromptTrialAsked', ({ data }) => ({ itemId: data.jobId, lane: data.adminId })),
  closes: on(['PromptTrialAnswered', 'PromptTrialGivenUp', 'PromptTrialForgotten'], ({ data }) => data.jobId),
  // An operator gives one up that is being worked on, and an analysis is deleted meanwhile.
  interrupts: ['PromptTrialGivenUp', 'PromptTrialForgotten'] satisfies readonly PromptTrialEvent['type'][],
};

const PARALLEL = 2;
/** Each question costs money: one at a time an admin. */
const PARALLEL_OF_AN_ADMIN = 1;
/** A model that fails is an answer, too: only what breaks here is tried again. */
const TRIES = 2;
/** Somebody waits for it; who still wants it after that asks again. */
const EXPIRES_AFTER_MS = 10 * 60 * 1_000;

export function promptTrialKind(deps: PromptTrialDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: promptTrialRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_AN_ADMIN,
    // It has one step.
    stepsEnded: async () => 0,
    perform: async ({ itemId, opener }, { held }, signal) => {
      const done = await performPromptTrial(deps, { jobId: itemId, cause: opener }, held, signal);
      return done.outcome === 'ended' ? { outcome: 'settled', position: done.position } : { outcome: 'later', notBefore: deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
    expiresAfterMs: EXPIRES_AFTER_MS,
  };
}
