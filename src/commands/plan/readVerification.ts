import { planDecider } from '../../domain/plan/decide.ts';
import type { ActionItem, VerifiedFinding } from '../../domain/plan/events.ts';
import { itemsOf, planStream } from '../../domain/plan/plan.ts';
import type { Progress } from '../../domain/plan/progress.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { loadHistory } from '../handle.ts';

/** The current plan, and the result of one item's latest verification for each finding. */
export async function readVerification(
  store: EventStore,
  { jobId, actionId }: { readonly jobId: string; readonly actionId: string },
): Promise<{ readonly items: readonly (ActionItem & Progress)[]; readonly results: readonly VerifiedFinding[] }> {
  const { state, events } = await loadHistory(store, planDecider, planStream(jobId));
  const newest = eventsOf(events, 'ActionVerified').findLast(({ data }) => data.actionId === actionId);
  return { items: itemsOf(state), results: newest?.data.results ?? [] };
}
