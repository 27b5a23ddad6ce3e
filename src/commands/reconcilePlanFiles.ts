import { DomainError } from '../domain/decider.ts';
import { planDecider } from '../domain/plan/decide.ts';
import type { PlanEvent } from '../domain/plan/events.ts';
import { planStream } from '../domain/plan/plan.ts';
import { type Position, StreamDeleted } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import type { FollowUp } from './followUp.ts';
import { loadState } from './handle.ts';
import { writePlanFile } from './regeneratePlan.ts';

const PAGE = 200;

type Regenerated = Extract<PlanEvent, { readonly type: 'PlanRegenerated' }>['data'];

/** Owner of regenerations that broke off before `action-items.md` was written. Goes through those after `after`; pass `next` the next time. */
export async function reconcilePlanFiles(
  ctx: CommandContext,
  input: { readonly after: Position; readonly itemsFile: FollowUp['itemsFile'] },
): Promise<{ readonly next: Position }> {
  for (let after = input.after; ; ) {
    const page = await ctx.store.readAll({ after, limit: PAGE, filter: { types: ['PlanRegenerated'] } });
    for (const jobId of new Set(page.events.map((event) => (event.data as Regenerated).jobId))) {
      const { state } = await loadState(ctx.store, planDecider, planStream(jobId));
      if (state.status === 'generated') await writePlanFile(ctx, input.itemsFile, { jobId, userId: state.userId }).catch(unlessDeleted);
    }
    if (page.end) return { next: page.next };
    after = page.next;
  }
}

/** Deleted meanwhile: there is nothing to make good. */
function unlessDeleted(error: unknown): void {
  if (!(error instanceof StreamDeleted) && !(error instanceof DomainError && error.code === 'JOB_NOT_FOUND')) throw error;
}
