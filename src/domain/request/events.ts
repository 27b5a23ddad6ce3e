/**
 * Storage format, version with care. Stream: `request-{commandId}`: a write with an `Idempotency-Key`, and its
 * response. Erased after 30 days.
 */
import * as z from 'zod';
import { at, type EventIn } from '../eventSchemas.ts';

const anObject = z.custom<object>((value) => typeof value === 'object' && value !== null);

/** Requests and responses may contain anything their user was shown. */
export const REQUEST_EVENTS = {
  /** `plan`: what the route decided up front, as JSON; null if nothing. */
  RequestAccepted: z.strictObject({ bodyHash: z.string(), plan: z.unknown(), acceptedAt: at }),
  RequestAnswered: z.strictObject({ status: z.int(), body: anObject, answeredAt: at }),
};
export type RequestEvent = EventIn<typeof REQUEST_EVENTS>;

export const requestStream = (commandId: string): string => `request-${commandId}`;
