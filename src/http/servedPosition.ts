import { START } from '../eventStore/eventStore.ts';
import type { ReadModels } from '../readModels/readModels.ts';

/** Where a read model stands. Asked before it is read: what is written meanwhile may be missing in the answer, and is told from here on. */
export async function servedPosition(readModels: ReadModels, model: string): Promise<string> {
  const build = await readModels.serving(model);
  return (build === null ? null : await readModels.checkpoint(model, build)) ?? START;
}
