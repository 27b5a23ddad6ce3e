/** Storage format, version with care. Stream: `request-{commandId}`: a write with an `Idempotency-Key`, and its response. Erased after 30 days. */
export type RequestEvent =
  /** `plan`: what the route decided up front, as JSON; null if nothing. */
  | { readonly type: 'RequestAccepted'; readonly data: { readonly bodyHash: string; readonly plan: unknown; readonly acceptedAt: string } }
  | { readonly type: 'RequestAnswered'; readonly data: { readonly status: number; readonly body: object; readonly answeredAt: string } };

export const requestStream = (commandId: string): string => `request-${commandId}`;
