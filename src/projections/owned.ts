/** Iterates over all of a user's documents in a read model. */
import type { Page, ReadModels } from '../readModels/readModels.ts';

const PAGE = 500;

/** The model needs an index that starts with `userId`. */
export async function* documentsOf<T extends object>(
  readModels: ReadModels,
  model: string,
  userId: string,
  /** Number of documents held in memory at once. */
  limit = PAGE,
): AsyncGenerator<{ readonly id: string; readonly data: T }> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await readModels.find<T>(model, { where: { userId }, limit, ...(cursor === null ? {} : { cursor }) });
    yield* page.documents;
    cursor = page.cursor;
  } while (cursor !== null);
}
