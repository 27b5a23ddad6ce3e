/** Errors of the server: trailers that name the exception, and in a batch a google.rpc.Status with packed details. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type * as StatusTypes from '@eventstore/db-client/generated/status_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import wellKnownEmpty from 'google-protobuf/google/protobuf/empty_pb.js';
import { streamIdentifier } from './conversions.ts';
import type { Expected, WriteAnswer } from './writer.ts';

export function callError(
  code: status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): ServiceError {
  const metadata = new Metadata();
  // Trailers are ASCII.
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value.replace(/[^ -~]/g, '?'));
  return Object.assign(new Error(details), { code, details, metadata });
}

export function unavailable(): ServiceError {
  return callError(status.UNAVAILABLE, 'Server Is Not Ready');
}

export function notLeader({ host, port }: { readonly host: string; readonly port: number }): ServiceError {
  const trailers = { exception: 'not-leader', 'leader-endpoint-host': host, 'leader-endpoint-port': String(port) };
  return callError(status.NOT_FOUND, `Leader info available`, trailers);
}

export function accessDenied(): ServiceError {
  return callError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
}

export function unauthenticated(): ServiceError {
  return callError(status.UNAUTHENTICATED, 'Bad credentials');
}

export function streamDeleted(stream: string): ServiceError {
  return callError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

export function invalidPosition(): ServiceError {
  return callError(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.');
}

export function invalidArgument(details: string): ServiceError {
  return callError(status.INVALID_ARGUMENT, details);
}

export function deadlineExceeded(): ServiceError {
  return callError(status.DEADLINE_EXCEEDED, 'Deadline exceeded');
}

export function tooLarge(limit: number): ServiceError {
  return callError(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });
}

/** For calls other than appends, whose answer has no field for it. */
export function wrongRevision(operation: string, stream: string, expected: Expected, current: bigint): ServiceError {
  const number = typeof expected === 'bigint' ? expected : { no_stream: -1, any: -2, stream_exists: -4 }[expected];
  const actual = current < 0n ? '' : String(current);
  return callError(
    status.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${number}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(number),
      'actual-version': actual,
    },
  );
}

export function groupDoesNotExist(stream: string, group: string): ServiceError {
  const trailers = { exception: 'persistent-subscription-does-not-exist', 'stream-name': stream, 'group-name': group };
  return callError(status.NOT_FOUND, `Subscription group ${group} on stream ${stream} does not exist.`, trailers);
}

type Packable = { serializeBinary(): Uint8Array };

function batchStatus(code: number, message: string, typeName: string, details: Packable): StatusTypes.Status {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), typeName);
  return new statusPb.Status().setCode(code).setMessage(message).setDetails(packed);
}

const CLIENT = 'event_store.client';

export function batchTimeout(): StatusTypes.Status {
  return batchStatus(status.DEADLINE_EXCEEDED, 'Timeout', `${CLIENT}.Timeout`, new shared.Timeout());
}

/** The answer to an append while the server starts or hands over: a status that names no error. */
export function batchNotReady(): StatusTypes.Status {
  return batchStatus(status.OK, 'Server Is Not Ready', 'google.protobuf.Empty', new wellKnownEmpty.Empty());
}

/** The error of a batch. */
export function batchError(
  answer: Exclude<WriteAnswer, { kind: 'written' }>,
  stream: string,
  expected: Expected,
  limit: number,
): StatusTypes.Status {
  if (answer.kind === 'deleted') {
    const details = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(stream));
    return batchStatus(status.NOT_FOUND, 'StreamDeleted', `${CLIENT}.StreamDeleted`, details);
  }
  if (answer.kind === 'tooLarge') {
    const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(limit);
    return batchStatus(
      status.INVALID_ARGUMENT,
      'MaximumAppendSizeExceeded',
      `${CLIENT}.MaximumAppendSizeExceeded`,
      details,
    );
  }
  const details = new shared.WrongExpectedVersion();
  if (answer.current < 0n) details.setCurrentNoStream(new wellKnownEmpty.Empty());
  else details.setCurrentStreamRevision(String(answer.current));
  if (expected === 'any') details.setExpectedAny(new wellKnownEmpty.Empty());
  else if (expected === 'no_stream') details.setExpectedNoStream(new wellKnownEmpty.Empty());
  else if (expected === 'stream_exists') details.setExpectedStreamExists(new wellKnownEmpty.Empty());
  else details.setExpectedStreamPosition(String(expected));
  return batchStatus(status.ALREADY_EXISTS, 'WrongExpectedVersion', `${CLIENT}.WrongExpectedVersion`, details);
}
