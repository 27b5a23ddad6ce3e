import { StoreClosed, StoreUnavailable } from '../eventStore/eventStore.ts';
import { ReadModelError } from '../readModels/readModels.ts';

const UNAVAILABLE_CODES: readonly string[] = ['READ_MODELS_UNAVAILABLE', 'READ_MODELS_CLOSED'];

/** Whether a store was unavailable, which says nothing about the operation itself. */
export function isStoreUnavailable(error: unknown): boolean {
  return (
    error instanceof StoreUnavailable ||
    error instanceof StoreClosed ||
    (error instanceof ReadModelError && UNAVAILABLE_CODES.includes(error.code))
  );
}
