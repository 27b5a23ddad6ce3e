/** Payment provider events: pending from receipt, or from when they were queued again, until applied or ignored. */
import { giveUpHeld } from '../../commands/work/giveUpWork.ts';
import { applyProviderEvent, type ProviderEventDeps } from '../../workers/providerEvent.ts';
import { fullJitter, on, type WorkKind, type WorkRule } from '../kind.ts';

export const PROVIDER_EVENT = 'providerEvent';

/** An event's owner is known only once its object was fetched: all of them share one lane. */
const LANE = 'stripe';

export const providerEventRule: WorkRule = {
  kind: PROVIDER_EVENT,
  opens: on(['ProviderEventReceived', 'ProviderEventRequeued'], ({ data }) => ({ itemId: data.eventId, lane: LANE })),
  closes: on(['ProviderEventApplied', 'ProviderEventIgnored'], ({ data }) => data.eventId),
};

const PARALLEL = 4;
/** Delay before re-checking whether a provider is configured, ms. */
const NOTHING_SOLD_MS = 60 * 60 * 1_000;

export type ProviderEventKindDeps = Omit<ProviderEventDeps, 'payments'> & {
  /** Null: nothing is sold here (any longer). */
  readonly payments: ProviderEventDeps['payments'] | null;
};

export function providerEventKind(
  { payments, ...deps }: ProviderEventKindDeps,
  options: { readonly random: () => number },
): WorkKind {
  return {
    rule: providerEventRule,
    parallel: PARALLEL,
    parallelOfLane: PARALLEL,
    // It has a single step.
    stepsEnded: async () => 0,
    perform: async ({ itemId, opener }, { held }) => {
      if (!payments)
        return { outcome: 'later', notBefore: new Date(Date.parse(deps.now()) + NOTHING_SOLD_MS).toISOString() };
      return {
        outcome: 'settled',
        position: await applyProviderEvent({ ...deps, payments }, { eventId: itemId, cause: opener }, held),
      };
    },
    // It involves money: it stays in the list however long the provider is unavailable or manual attention is needed.
    retryAfterMs: fullJitter(options.random),
    giveUp: (item, why, held) => giveUpHeld(deps.context(item.opener), item, why, held),
  };
}
