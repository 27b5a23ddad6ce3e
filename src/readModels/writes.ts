/**
 * Validation of writes, tombstones of deleted documents, and the kind of change a write makes: the same in every store.
 */
import { fieldOf } from './conditions.ts';
import { type Change, DocumentRefused, type Position, ReadModelError, type Write } from './readModels.ts';

export const START: Position = '0'.repeat(20);

const POSITION = /^\d{20}$/;
const MAX_ID_LENGTH = 512;

/** @throws ReadModelError INVALID_POSITION */
export function checkPosition(position: Position): void {
  if (!POSITION.test(position))
    throw new ReadModelError('INVALID_POSITION', `No position: ${JSON.stringify(position)}.`);
}

/**
 * The document as JSON; null for a deletion.
 * @throws DocumentRefused
 */
export function checkedJson(model: string, write: Write): string | null {
  const refuse = (why: string) => new DocumentRefused(model, String(write.id), why);
  if (typeof write.id !== 'string' || write.id === '' || write.id.length > MAX_ID_LENGTH)
    throw refuse(`an id is text of 1 to ${MAX_ID_LENGTH} characters.`);
  if (/[\0\p{Surrogate}]/u.test(write.id)) throw refuse('its id is no well-formed text.');
  if (!POSITION.test(write.position)) throw refuse('its position is not 20 digits.');
  if (write.data === null) return null;
  if (typeof write.data !== 'object' || Array.isArray(write.data)) throw refuse('its data is no record.');
  try {
    return JSON.stringify(write.data);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/** What is kept of a deleted document, as JSON: the fields named in its definition, from its last state. */
export function tombstoneJson(fields: readonly string[], last: string | null | undefined): string | null {
  if (fields.length === 0 || !last) return null;
  const data = JSON.parse(last) as object;
  return JSON.stringify(
    fields.reduce<Record<string, unknown>>(
      (kept, field) => withField(kept, field.split('.'), fieldOf(data, field)),
      {},
    ),
  );
}

function withField(record: Record<string, unknown>, path: readonly string[], value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path;
  const inner = (record[name] ?? {}) as Record<string, unknown>;
  return { ...record, [name]: rest.length === 0 ? value : withField(inner, rest, value) };
}

/**
 * Null if the document was absent and still is. A tombstone at a new position is a deletion again: a watch that resumes
 * may have missed the first.
 */
export function kindOfChange(
  before: { readonly deleted: 0 | 1 } | null | undefined,
  isDeletion: boolean,
): Change['kind'] | null {
  if (isDeletion) return before ? 'DELETE' : null;
  return !before || before.deleted === 1 ? 'INSERT' : 'UPDATE';
}
