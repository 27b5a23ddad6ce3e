/** State that the services share, and the one entry point: it checks credentials and refuses calls. */
import type { Socket } from 'node:net';
import type { handleUnaryCall, Metadata, ServiceError } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { accessDenied, callError, notLeader, unauthenticated, unavailable } from './errors.ts';
import type { Faults } from './faults.ts';
import type { Groups } from './groups.ts';
import type { EventLog } from './log.ts';
import type { Writer } from './writer.ts';

export type Context = {
  readonly log: EventLog;
  readonly writer: Writer;
  readonly groups: Groups;
  readonly faults: Faults;
  /** Aborts when the server stops. */
  readonly over: AbortSignal;
  /** By the address of the client: `host:port`. */
  readonly sockets: ReadonlyMap<string, Socket>;
  /** Called with the length of each pattern that is compiled. */
  readonly compiled: (characters: number) => void;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
};

type Caller = { readonly metadata: Metadata; getPeer(): string };

/** Why the call is refused; null when it is accepted. */
export function refusalFor(context: Context, call: Caller): ServiceError | null {
  if (context.faults.refuses()) return unavailable();
  const { leader } = context.faults;
  if (leader && call.metadata.get('requires-leader')[0] === 'true') return notLeader(leader);
  if (!context.credentials) return null;
  const [header] = call.metadata.get('authorization');
  if (header === undefined) return accessDenied();
  const { username, password } = context.credentials;
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return header === expected ? null : unauthenticated();
}

/** Breaks the connection of `call`. */
export function breakConnection(context: Context, call: Caller): void {
  context.sockets.get(call.getPeer())?.resetAndDestroy();
}

/** Whether the connection was broken: anything still in transit never arrives. */
export function isBroken(context: Context, call: Caller): boolean {
  return context.sockets.get(call.getPeer())?.destroyed ?? true;
}

/** A call with one request and one answer; the caller gets any error that `answer` throws. */
export function unary<Request, Response>(
  context: Context,
  answer: (request: Request, call: Caller) => Promise<Response | null> | Response,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    const refusal = refusalFor(context, call);
    if (refusal) return callback(refusal);
    void (async () => answer(call.request, call))().then(
      // No answer: the connection is gone, or must look gone.
      (response) => response !== null && callback(null, response),
      (error: unknown) => callback(asServiceError(error)),
    );
  };
}

export function asServiceError(error: unknown): ServiceError {
  if (error instanceof Error && 'code' in error && 'details' in error) return error as ServiceError;
  return callError(status.UNKNOWN, error instanceof Error ? error.message : String(error));
}
