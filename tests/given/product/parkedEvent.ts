/** Stores in which an earlier version of the product has parked an event that this version can process. */
import { START } from '../../../src/eventStore/eventStore.ts';
import { READ_MODELS } from '../../../src/work/rules.ts';
import { memoryEventStore } from '../stores/eventStore.ts';
import { projecting } from '../stores/projections.ts';
import { memoryReadModels } from '../stores/readModels.ts';

export const PARKED = {
  model: 'boards',
  documentId: 'nobody',
  eventType: 'PlanGenerated',
  error: 'TypeError: the plan has no items',
} as const;

export async function storesWithParkedEvent() {
  const stores = { store: memoryEventStore(), readModels: memoryReadModels() };
  const before = projecting(stores.store, stores.readModels, READ_MODELS);
  await before.ready;
  await before.stop();
  const build = (await stores.readModels.serving(PARKED.model)) ?? '';
  const record = { ...PARKED, build, position: START, parkedAt: '2026-03-01T00:00:00.000Z' };
  await stores.readModels.commit([{ model: PARKED.model, build, checkpoint: START, writes: [], park: [record] }]);
  return stores;
}
