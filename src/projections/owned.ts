/** Iterates over all of a user's documents in a read model. */
import type { Page, ReadModels } from '../readModels/readModels.ts';
import { type KeptAnswersDocument, keptAnswers } from './keptAnswers.ts';

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
    const page: Page<T> = await readModels.find<T>(model, {
      where: { userId },
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.documents;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** Names what a user has in a read model: ids of documents, or, of kept answers, the streams that a document lists. */
export async function* ownedNames(readModels: ReadModels, model: string, userId: string): AsyncGenerator<string> {
  for await (const { id, data } of documentsOf<object>(readModels, model, userId)) {
    if (model === keptAnswers.name) yield* (data as KeptAnswersDocument).streams;
    else yield id;
  }
}
