/** Parts of finished analyses that are done once more (action items, summary, verification): owed from when one is asked for until it is done or given up. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import type { ReworkEvent } from '../../domain/rework/events.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import { performRework, type ReworkDeps } from '../../workers/rework.ts';
import type { Opening, WorkKind, WorkRule } from '../kind.ts';
import { fullJitter } from '../retry.ts';

export const REWORK = 'rework';

const idOf = ({ data }: { readonly data: object }): string => (data as ReworkEvent['data']).reworkId;

function opens({ data }: RecordedEvent): Opening {
  const { reworkId, userId } = data as ReworkEvent['data'];
  return { itemId: reworkId, lane: userId };
}

export const reworkRule: WorkRule = {
  kind: REWORK,
  opens: { PlanRegenerationAsked: opens, SummaryAsked: opens, VerificationAsked: opens },
  closes: { ReworkDone: idOf, ReworkGivenUp: idOf },
  // An operator gives one up that is being worked on, too.
  interrupts: ['ReworkGivenUp'] satisfies readonly ReworkEvent['type'][],
};

const PARALLEL = 4;
const PARALLEL_OF_A_USER = 2;
const TRIES = 3;
/** Somebody waits for it; who still wants it after that asks again. */
const OWED_FOR_MS = 60 * 60 * 1_000;

export function reworkKind(deps: ReworkDeps, options: { readonly random: () => number }): WorkKind {
  return {
    rule: reworkRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL_OF_A_USER,
    // It has one step.
    stepsEnded: async () => 0,
    perform: async ({ itemId }, { held }, signal) => {
      const done = await performRework(deps, itemId, held, signal);
      return done.outcome === 'ended' ? { outcome: 'settled', position: done.position } : { outcome: 'later', notBefore: deps.now() };
    },
    retryAfterMs: fullJitter(options.random, TRIES),
    giveUp: (item, why, held) => giveUpHeld(deps.context(), item, why, held),
    owedForMs: OWED_FOR_MS,
  };
}
