/** Writes `action-items.md` of a rewritten plan. The command does so immediately; this catches up after a crash. */

import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import type { FollowUp } from '../../commands/plan/followUp.ts';
import { writePlanFile } from '../../commands/plan/regeneratePlan.ts';
import { DomainError } from '../../domain/decider.ts';
import { planDecider } from '../../domain/plan/decide.ts';
import { planStream } from '../../domain/plan/events.ts';
import { StreamDeleted } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf } from '../follower.ts';

export type PlanFilesDeps = { readonly context: ContextOf; readonly itemsFile: FollowUp['itemsFile'] };

export function createPlanFiles({ context, itemsFile }: PlanFilesDeps): Follower {
  return followerOf({
    name: 'planFiles',
    types: ['PlanRegenerated'],
    begins: 'at_the_start',
    async follow(event) {
      const { jobId } = event.data;
      const ctx = context(event);
      const { state } = await loadState(ctx.store, planDecider, planStream(jobId));
      if (state.status !== 'generated') return;
      await writePlanFile(ctx, itemsFile, { jobId, userId: state.userId }).catch(unlessDeleted);
    },
  });
}

/** Deleted meanwhile: nothing to catch up on. */
function unlessDeleted(error: unknown): void {
  if (!(error instanceof StreamDeleted) && !(error instanceof DomainError && error.code === 'JOB_NOT_FOUND'))
    throw error;
}
