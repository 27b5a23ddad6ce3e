/**
 * Writes with an `Idempotency-Key`: the same user, path, query, key and body get the same response, and the command takes
 * effect once. A stream `request-{commandId}` records that the request was accepted and, later, the response. If the
 * process dies in between, a retry runs the same command again under the same id, which has no further effect, and gets
 * the response the first request would have had. The same applies once the stream has been erased: after 30 days, or
 * with the account.
 */
import { createHash } from 'node:crypto';
import { derivedId } from '../../commands/derivedId.ts';
import { type RequestEvent, requestStream } from '../../domain/request/events.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import type { Actor } from '../../domain/stored/metadata.ts';
import type { EventStore, NewEvent, StreamRead } from '../../eventStore/eventStore.ts';
import { RevisionConflict, StreamDeleted } from '../../eventStore/eventStore.ts';
import { HttpError } from '../request/errors.ts';

/** The caller and the request. */
export type Requester = { readonly userId: string; readonly actor: Actor; readonly requestId: string };

export type KeyedRequest = Omit<Requester, 'userId'> & {
  readonly commandId: string;
  readonly bodyHash: string;
  readonly newId: () => string;
};
export type KeptAnswer = { readonly status: number; readonly body: object };

/** State of a key before its outcome is known; `accepted` is null if nothing was accepted yet. */
export type KeyState = { readonly accepted: { readonly plan: unknown } | null; readonly answer: KeptAnswer | null };

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws HttpError INVALID_INPUT for a malformed key */
export function keyedRequest(
  { userId, actor, requestId }: Requester,
  target: string,
  key: string,
  body: unknown,
  newId: () => string,
): KeyedRequest {
  if (!IDEMPOTENCY_KEY.test(key))
    throw new HttpError('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  return {
    commandId: derivedId(userId, 'request', target, key),
    bodyHash: createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest('hex'),
    actor,
    requestId,
    newId,
  };
}

/** @throws HttpError IDEMPOTENCY_KEY_REUSED if the key was used before with another body */
export async function lookUp(store: EventStore, request: KeyedRequest): Promise<KeyState> {
  return stateOf(await store.read(requestStream(request.commandId)), request);
}

/** Records the plan before anything is done. If a concurrent duplicate was faster, its plan applies. */
export async function accept(store: EventStore, request: KeyedRequest, plan: unknown, now: string): Promise<KeyState> {
  try {
    await append(
      store,
      request,
      'no_stream',
      { type: 'RequestAccepted', data: { bodyHash: request.bodyHash, plan, acceptedAt: now } },
      now,
    );
    return { accepted: { plan }, answer: null };
  } catch (error) {
    if (error instanceof RevisionConflict) return lookUp(store, request);
    if (error instanceof StreamDeleted) return { accepted: { plan }, answer: null };
    throw error;
  }
}

/** Records the response; if a concurrent duplicate responded first, both get that response. */
export async function keepAnswer(
  store: EventStore,
  request: KeyedRequest,
  answer: KeptAnswer,
  now: string,
): Promise<KeptAnswer> {
  try {
    await append(store, request, 0n, { type: 'RequestAnswered', data: { ...answer, answeredAt: now } }, now);
    return answer;
  } catch (error) {
    if (error instanceof StreamDeleted) return answer;
    if (!(error instanceof RevisionConflict)) throw error;
    return (await lookUp(store, request)).answer ?? answer;
  }
}

async function append(
  store: EventStore,
  request: KeyedRequest,
  expected: 'no_stream' | 0n,
  event: RequestEvent,
  now: string,
): Promise<void> {
  // A new id each time: concurrent duplicates must conflict rather than be taken for a retry of the same append.
  const { actor, requestId: correlationId, commandId: causationId } = request;
  const recorded: NewEvent = {
    id: request.newId(),
    ...event,
    metadata: { actor, at: now, correlationId, causationId },
  };
  await store.append(requestStream(request.commandId), [recorded], { expected });
}

function stateOf(read: StreamRead, request: KeyedRequest): KeyState {
  if (read.status !== 'found') return { accepted: null, answer: null };
  const accepted = read.events.find((event) => isOf(event, 'RequestAccepted'));
  const answered = read.events.find((event) => isOf(event, 'RequestAnswered'));
  if (accepted && accepted.data.bodyHash !== request.bodyHash) {
    throw new HttpError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was already used with another request. Use a new key.',
    );
  }
  return {
    accepted: accepted ? { plan: accepted.data.plan } : null,
    answer: answered ? { status: answered.data.status, body: answered.data.body } : null,
  };
}
