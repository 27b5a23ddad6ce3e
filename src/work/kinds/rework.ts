/**
 * Parts of completed audits to be redone (action items, summary, verification): pending from the request until done or
 * given up.
 */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { ReworkEvent } from '../../domain/rework/events.ts';
import { performRework, type ReworkDeps } from '../../workers/rework.ts';
import { fullJitter, on, type WorkKind, type WorkRule } from '../kind.ts';

export const REWORK = 'rework';

export const reworkRule: WorkRule = {
  kind: REWORK,
  opens: on(['PlanRegenerationAsked', 'SummaryAsked', 'VerificationAsked'], ({ data }) => ({
    itemId: data.reworkId,
    lane: data.userId,
  })),
  closes: on(['ReworkDone', 'ReworkGivenUp'], ({ data }) => data.reworkId),
  // An operator may give up a rework in progress, too.
  interrupts: ['ReworkGivenUp'] satisfies readonly ReworkEvent['type'][],
};

const PARALLEL = 4;
const PARALLEL_OF_A_USER = 2;
const TRIES = 3;
/** A user is waiting; after that they can request it again. */
const EXPIRES_AFTER_MS = 60 * 60 * 1_000;

export function reworkKind(deps: ReworkDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: reworkRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_USER,
    // It has a single step.
    stepsEnded: async () => 0,
    perform: async ({ itemId, opener }, { held }, signal) => {
      const done = await performRework(deps, { reworkId: itemId, cause: opener }, held, signal);
      return done.outcome === 'ended'
        ? { outcome: 'settled', position: done.position }
        : { outcome: 'later', notBefore: deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
    expiresAfterMs: EXPIRES_AFTER_MS,
  };
}
