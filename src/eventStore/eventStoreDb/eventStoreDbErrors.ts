/** Translates errors of the server and the connection into the port's terms. */
import { convertToCommandError, ErrorType, isCommandError } from '@eventstore/db-client';
import { EventStoreError, StoreUnavailable } from '../eventStore.ts';

/**
 * `unavailable`: no response, and it is unknown whether the call was executed; a retry is safe if the call itself
 * detects what was written. `denied`: insufficient permissions. `refused`: a response that a retry does not change.
 */
type Fate = 'unavailable' | 'deleted' | 'conflict' | 'tooLarge' | 'missing' | 'denied' | 'refused';

/** A call that ended without a response: a timeout, or the server ended it while stopping. */
export class CallBroken extends Error {}

const FATES: Readonly<Record<string, Fate>> = {
  [ErrorType.UNAVAILABLE]: 'unavailable',
  [ErrorType.TIMEOUT]: 'unavailable',
  [ErrorType.DEADLINE_EXCEEDED]: 'unavailable',
  [ErrorType.CANCELLED]: 'unavailable',
  [ErrorType.NOT_LEADER]: 'unavailable',
  [ErrorType.STREAM_DELETED]: 'deleted',
  [ErrorType.WRONG_EXPECTED_VERSION]: 'conflict',
  [ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED]: 'tooLarge',
  [ErrorType.STREAM_NOT_FOUND]: 'missing',
  [ErrorType.NO_STREAM]: 'missing',
  [ErrorType.NOT_FOUND]: 'missing',
  [ErrorType.ACCESS_DENIED]: 'denied',
};

/**
 * gRPC's own codes, if the server named no exception: cancelled, unknown, deadline, aborted, internal (a broken HTTP/2
 * stream), unavailable.
 */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([1, 2, 4, 10, 13, 14]);
const DENIED_CODES: ReadonlySet<number> = new Set([7, 16]);

export function fateOf(error: unknown): Fate {
  if (error instanceof CallBroken || error instanceof StoreUnavailable) return 'unavailable';
  if (error instanceof EventStoreError || !(error instanceof Error)) return 'refused';
  const code = (error as { code?: unknown }).code;
  const fate = FATES[typeOf(error, code)];
  if (fate !== undefined) return fate;
  // The server's response to an append while it starts, is too busy, or hands over to another leader.
  if (isCommandError(error) && error.type === ErrorType.UNKNOWN && code === undefined) return 'unavailable';
  if (typeof code === 'number')
    return UNAVAILABLE_CODES.has(code) ? 'unavailable' : DENIED_CODES.has(code) ? 'denied' : 'refused';
  // The client's own errors: no cluster node responds, or a channel was closed during a call.
  return /^Failed to discover|Channel has been (?:shut down|closed)|write after end/i.test(error.message)
    ? 'unavailable'
    : 'refused';
}

function typeOf(error: Error, code: unknown): string {
  if (isCommandError(error)) return error.type;
  if (typeof code !== 'number') return '';
  try {
    const converted = convertToCommandError(error);
    return isCommandError(converted) ? converted.type : '';
  } catch {
    // A response whose trailers the client does not expect.
    return '';
  }
}

/** The stream's revision as reported in the server's refusal of an append or a deletion; null: missing. */
export function actualRevision(error: unknown): bigint | null {
  const converted = isCommandError(error as Error) ? error : convertToCommandError(error as Error);
  const actual = (converted as { actualVersion?: unknown }).actualVersion;
  return typeof actual === 'bigint' && actual >= 0n ? actual : null;
}

/** What an error says, as a sentence, without the heading that the client ends with when nothing follows. */
export function sentenceOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).replace(/\s*Resolution note:\s*$/, '').trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The port's error for `error`; `label` names the server without credentials. */
export function toStoreError(error: unknown, label: string): EventStoreError {
  if (error instanceof EventStoreError) return error;
  const detail = sentenceOf(error);
  const fate = fateOf(error);
  if (fate === 'unavailable') return new StoreUnavailable(`The event store at ${label} does not answer: ${detail}`);
  if (fate === 'denied') {
    return new EventStoreError(
      'STORE_ACCESS_DENIED',
      `The event store at ${label} does not accept the user name and password of its address, or grants them too little.`,
    );
  }
  if (fate === 'tooLarge') {
    const text = `The event store at ${label} refuses an append of this size (${detail.replace(/\.$/, '')}). Its setting MaxAppendSize must be above the largest append.`;
    return new EventStoreError('APPEND_TOO_LARGE', text);
  }
  // Raised when reading from a position that holds no event.
  if (/invalid position/i.test(detail))
    return new EventStoreError('INVALID_POSITION', `No event of the log at ${label} stands at that position.`);
  return new EventStoreError('STORE_REFUSED', `The event store at ${label} refused: ${detail}`);
}
