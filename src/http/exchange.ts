/** A request and its answer as plain data: what `dispatch` takes and gives, and a binding translates. */
import type { Cookie, Download } from './reply.ts';

export type IncomingRequest = {
  /** For logs and errors. */
  readonly id: string;
  /** As it was asked for, without a query: part of what an Idempotency-Key stands for. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** What the JSON says, or the bytes in a group of raw bodies; undefined without one. */
  readonly body: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

export type RouteAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  readonly body: object | Download;
  /** Who called, once that was known. */
  readonly userId: string | null;
};
