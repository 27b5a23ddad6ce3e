import { planDecider } from '../../domain/plan/decide.ts';
import { type ActionItem, planStream, type VerifiedFinding } from '../../domain/plan/events.ts';
import { itemsOf } from '../../domain/plan/plan.ts';
import type { Progress } from '../../domain/plan/progress.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore, Revision } from '../../eventStore/eventStore.ts';
import { loadState } from '../handle.ts';

/** Number of events read at once. The verification is nearly always among the last ones. */
const PAGE = 50;

/** The current plan, and the result of one item's latest verification for each finding. */
export async function readVerification(
  store: EventStore,
  { jobId, actionId }: { readonly jobId: string; readonly actionId: string },
): Promise<{ readonly items: readonly (ActionItem & Progress)[]; readonly results: readonly VerifiedFinding[] }> {
  const stream = planStream(jobId);
  const { state, revision } = await loadState(store, planDecider, stream);
  return {
    items: itemsOf(state),
    results: revision === null ? [] : await resultsUpTo(store, stream, revision, actionId),
  };
}

async function resultsUpTo(
  store: EventStore,
  stream: string,
  revision: Revision,
  actionId: string,
): Promise<readonly VerifiedFinding[]> {
  for (let from = revision; from >= 0n; ) {
    const page = await store.read(stream, { direction: 'backward', from, limit: PAGE });
    if (page.status !== 'found') break;
    const newest = eventsOf(page.events, 'ActionVerified').find(({ data }) => data.actionId === actionId);
    if (newest) return newest.data.results ?? [];
    const oldest = page.events.at(-1);
    if (!oldest) break;
    from = oldest.revision - 1n;
  }
  return [];
}
