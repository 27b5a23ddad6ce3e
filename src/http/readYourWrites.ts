/** A client that has written sees what it wrote in its next read. */
import type { Position } from '../eventStore/eventStore.ts';
import type { HttpDeps } from './deps.ts';
import { HttpError } from './errors.ts';

const PATIENCE_MS = 2_000;
/** For what cannot be answered without them. */
const LONG_PATIENCE_MS = 8_000;

/** Waits, within bounds, until the models have the event; false when they are behind still. */
export async function caughtUp({ readModels, log }: Pick<HttpDeps, 'readModels' | 'log'>, models: readonly string[], position: Position): Promise<boolean> {
  const reached = await readModels.reached(models, position, PATIENCE_MS);
  if (!reached) log.warn({ models, position }, 'read models are behind: answered without waiting longer');
  return reached;
}

/**
 * The same where there is nothing to answer before: of an account that the models do not know yet.
 * @throws HttpError CATCHING_UP with Retry-After and this text
 */
export async function caughtUpOrRefused(deps: Pick<HttpDeps, 'readModels'>, models: readonly string[], position: Position, text: string): Promise<void> {
  if (await deps.readModels.reached(models, position, LONG_PATIENCE_MS)) return;
  throw new HttpError('CATCHING_UP', text, { headers: { 'Retry-After': '5' } });
}
