/** Iterates over all of a user's documents in a read model. */
import type { Page, ReadModels, Scalar } from '../readModels/readModels.ts';
import { type KeptAnswersDocument, keptAnswers } from './keptAnswers.ts';
import { sessionIdOf, sessions } from './sessions.ts';

const PAGE = 500;

type OfUser = { readonly userId: string } & Readonly<Record<string, Scalar>>;

/** The model needs an index that starts with these fields. */
export async function* documentsOf<T extends object>(
  readModels: ReadModels,
  model: string,
  where: OfUser,
  /** Number of documents held in memory at once. */
  limit = PAGE,
): AsyncGenerator<{ readonly id: string; readonly data: T }> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await readModels.find<T>(model, {
      where,
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.documents;
    cursor = page.cursor;
  } while (cursor !== null);
}

/**
 * Names what a user has in a read model: ids of documents; of kept answers, the streams that a document lists; of
 * sessions, those that have ended, too.
 */
export async function* ownedNames(
  readModels: ReadModels,
  model: string,
  userId: string,
  which: Readonly<Record<string, Scalar>> = {},
): AsyncGenerator<string> {
  for await (const { id, data } of documentsOf<object>(readModels, model, { ...which, userId })) {
    if (model === keptAnswers.name) yield* (data as KeptAnswersDocument).streams;
    else if (model === sessions.name) yield sessionIdOf(id);
    else yield id;
  }
}
