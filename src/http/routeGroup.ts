/**
 * Routes that share a prefix, a way to say who calls, the form of their bodies and the shape of their errors. The product's API is one group; a webhook
 * with signed raw bodies, or a dialect that answers errors in its own way, is another beside it.
 */
import type { Caller } from './auth/session.ts';
import type { ErrorBody } from './contract/errors.ts';
import type { HttpDeps } from './deps.ts';
import type { IncomingRequest } from './exchange.ts';
import type { Access, AnyRoute } from './route.ts';

/** How bodies come: as JSON (a route may raise the limit), or as the very bytes that were sent. */
export type Bodies = { readonly kind: 'json' } | { readonly kind: 'raw'; readonly maxBytes: number };

export type GroupAccess = {
  /** The rules that it can hold; a route with another one does not start. */
  readonly holds: readonly Access[];
  /** Who calls; null: nobody in particular. @throws when they may not call this route */
  callerOf(route: AnyRoute, request: IncomingRequest, deps: HttpDeps): Promise<Caller | null>;
};

/** An error as this group's clients expect it. `body` is the product's own shape; nothing else of an error may go out. */
export type ErrorShape = (body: ErrorBody, status: number) => object;

export type RouteGroup = {
  /** Of every path, such as `/api/v1`. */
  readonly prefix: string;
  readonly routes: readonly AnyRoute[];
  readonly errorShape: ErrorShape;
  readonly bodies: Bodies;
  readonly access: GroupAccess;
  /** Its requests do not count among those that one address may send. */
  readonly uncounted?: true;
};
