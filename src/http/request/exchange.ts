/** A request and its response as plain data: used by `dispatch`, and translated by a binding. */
import type { Cookie, Download } from './reply.ts';

export type IncomingRequest = {
  /** For logs and error responses. */
  readonly id: string;
  /** As requested, without the query: part of what an Idempotency-Key identifies. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /**
   * The parsed JSON, or the bytes in a group with raw bodies; undefined without a body, and until `readBody` has been
   * called.
   */
  readonly body: unknown;
  /** For a large body: reads it once it is known who asks, so that nobody else's is held. @throws HttpError */
  readonly readBody?: () => Promise<unknown>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  /** Asked with HEAD: no body is sent. */
  readonly headOnly?: true;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
};

export type RouteAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  readonly body: object | Download;
  /** The authenticated user, if any. */
  readonly userId: string | null;
};
