/** Read-your-writes: a client's next read includes what it wrote. */
import type { Position } from '../eventStore/eventStore.ts';
import type { HttpDeps } from './deps.ts';

const TIMEOUT_MS = 2_000;

/** Waits, up to a time limit, until the models have the event; false if they are still behind. */
export async function caughtUp({ readModels, log }: Pick<HttpDeps, 'readModels' | 'log'>, models: readonly string[], position: Position): Promise<boolean> {
  const reached = await readModels.reached(models, position, TIMEOUT_MS);
  if (!reached) log.warn({ models, position }, 'read models are behind: answered without waiting longer');
  return reached;
}
