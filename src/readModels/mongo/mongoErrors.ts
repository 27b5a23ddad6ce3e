/** Translates driver errors to those of the port, without secrets in their messages. */
import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { ReadModelError } from '../readModels.ts';

const DUPLICATE_KEY = 11000;
const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;
const BAD_VALUE = 2;

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

export function isNamespaceMissing(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND;
}

export function isNamespaceExisting(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === NAMESPACE_EXISTS;
}

/** A query named an index that does not exist. */
export function isIndexMissing(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === BAD_VALUE && error.message.includes('hint');
}

/**
 * Which operations of a bulk write hit an existing document (of an ordered one: where it stopped); null if anything
 * else failed too.
 */
export function duplicatesOf(error: unknown): readonly number[] | null {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return null;
  const errors = [error.writeErrors].flat();
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY)
    ? errors.map(({ index }) => index)
    : null;
}

/** Driver errors become READ_MODELS_UNAVAILABLE; all others are passed through. */
export function asReadModelError(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  return new ReadModelError(
    'READ_MODELS_UNAVAILABLE',
    `MongoDB did not do it: ${withoutCredentials(`${error.name}: ${error.message}`)}`,
  );
}

export function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^@/\s]*@/g, '//');
}
