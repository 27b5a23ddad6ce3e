/**
 * Writes with an `Idempotency-Key`: the same user, path, key and body get the same answer, and the command happens once.
 * A stream `request-{commandId}` keeps that it was accepted and, afterwards, what was answered. When the process dies between the two, the
 * repeat runs the same command again under the same id, which changes nothing a second time, and answers as the first would have. So does one that
 * comes when the stream is erased: after 30 days, or with the account.
 */
import { createHash } from 'node:crypto';
import { derivedId } from '../commands/derivedId.ts';
import { type RequestEvent, requestStream } from '../domain/request/events.ts';
import { isOf } from '../domain/stored/eventOf.ts';
import type { Actor } from '../domain/stored/metadata.ts';
import type { EventStore, NewEvent, StreamRead } from '../eventStore/eventStore.ts';
import { RevisionConflict, StreamDeleted } from '../eventStore/eventStore.ts';
import { HttpError } from './errors.ts';

/** Who asks, and by which request. */
export type Asking = { readonly userId: string; readonly actor: Actor; readonly requestId: string };

export type KeyedRequest = Omit<Asking, 'userId'> & { readonly commandId: string; readonly bodyHash: string; readonly newId: () => string };
export type KeptAnswer = { readonly status: number; readonly body: object };

/** Between the first look and the outcome: null means that nothing was accepted yet. */
export type KeyState = { readonly accepted: { readonly plan: unknown } | null; readonly answer: KeptAnswer | null };

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws HttpError INVALID_INPUT for a key that is none */
export function keyedRequest({ userId, actor, requestId }: Asking, target: string, key: string, body: unknown, newId: () => string): KeyedRequest {
  if (!IDEMPOTENCY_KEY.test(key)) throw new HttpError('INVALID_INPUT', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
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

/** @throws HttpError IDEMPOTENCY_KEY_REUSED when the key came with another body before */
export async function lookUp(store: EventStore, request: KeyedRequest): Promise<KeyState> {
  return stateOf(await store.read(requestStream(request.commandId)), request);
}

/** Keeps the plan before anything is done. When a twin was quicker, its plan counts. */
export async function accept(store: EventStore, request: KeyedRequest, plan: unknown, now: string): Promise<KeyState> {
  try {
    await append(store, request, 'no_stream', { type: 'RequestAccepted', data: { bodyHash: request.bodyHash, plan, acceptedAt: now } }, now);
    return { accepted: { plan }, answer: null };
  } catch (error) {
    if (error instanceof RevisionConflict) return lookUp(store, request);
    if (error instanceof StreamDeleted) return { accepted: { plan }, answer: null };
    throw error;
  }
}

/** Keeps the answer; when a twin answered first, that one is given to both. */
export async function keepAnswer(store: EventStore, request: KeyedRequest, answer: KeptAnswer, now: string): Promise<KeptAnswer> {
  try {
    await append(store, request, 0n, { type: 'RequestAnswered', data: { ...answer, answeredAt: now } }, now);
    return answer;
  } catch (error) {
    if (error instanceof StreamDeleted) return answer;
    if (!(error instanceof RevisionConflict)) throw error;
    return (await lookUp(store, request)).answer ?? answer;
  }
}

async function append(store: EventStore, request: KeyedRequest, expected: 'no_stream' | 0n, event: RequestEvent, now: string): Promise<void> {
  // A new id each time: of two twins one must meet the conflict, not pass for the other's retry.
  const { actor, requestId: correlationId, commandId: causationId } = request;
  const recorded: NewEvent = { id: request.newId(), ...event, metadata: { actor, at: now, correlationId, causationId } };
  await store.append(requestStream(request.commandId), [recorded], { expected });
}

function stateOf(read: StreamRead, request: KeyedRequest): KeyState {
  if (read.status !== 'found') return { accepted: null, answer: null };
  const accepted = read.events.find((event) => isOf(event, 'RequestAccepted'));
  const answered = read.events.find((event) => isOf(event, 'RequestAnswered'));
  if (accepted && accepted.data.bodyHash !== request.bodyHash) {
    throw new HttpError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was already used with another request. Use a new key.');
  }
  return { accepted: accepted ? { plan: accepted.data.plan } : null, answer: answered ? { status: answered.data.status, body: answered.data.body } : null };
}
