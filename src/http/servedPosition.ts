import { START } from '../eventStore/eventStore.ts';
import type { ReadModels } from '../readModels/readModels.ts';

/**
 * Current position of a read model. Get it before reading: what is written in the meantime may be missing from the response, but is sent to subscribers from
 * this position on.
 */
export async function servedPosition(readModels: ReadModels, model: string): Promise<string> {
  const build = await readModels.serving(model);
  return (build === null ? null : await readModels.checkpoint(model, build)) ?? START;
}
