import { DomainError } from '../../domain/decider.ts';
import { planDecider } from '../../domain/plan/decide.ts';
import { type ActionItem, planStream } from '../../domain/plan/events.ts';
import type { EventStore, Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';

/** Returns the current plan. A plan is generated once: later calls return the existing items, whatever they pass. */
export async function generatePlan(
  ctx: CommandContext,
  input: {
    readonly jobId: string;
    readonly userId: string;
    readonly by: string;
    readonly items: readonly ActionItem[];
  },
): Promise<{ readonly items: readonly ActionItem[]; readonly by: string; readonly position: Position }> {
  const { state, position } = await handle(ctx, planDecider, planStream(input.jobId), {
    type: 'GeneratePlan',
    ...input,
    at: ctx.now(),
  });
  if (state.status !== 'generated') throw new DomainError('PLAN_DELETED', 'The audit has been deleted.');
  return { items: state.items, by: state.by, position };
}

/** For a worker that takes over the job; null if there is no plan yet. */
export async function readPlan(
  store: EventStore,
  jobId: string,
): Promise<{ readonly items: readonly ActionItem[]; readonly by: string } | null> {
  const { state } = await loadState(store, planDecider, planStream(jobId));
  return state.status === 'generated' ? { items: state.items, by: state.by } : null;
}
