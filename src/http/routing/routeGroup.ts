/**
 * Routes that share a prefix, authentication, a body format and an error format. The product's API is one group; a
 * webhook with signed raw bodies, or an API dialect with its own errors, is another.
 */
import type { ErrorBody } from '../contract/errors.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import type { IncomingRequest } from '../request/exchange.ts';
import type { Access, AnyRoute } from './route.ts';

/** Body format: JSON (a route may raise the limit), or the raw bytes of JSON. */
export type Bodies = { readonly kind: 'json' } | { readonly kind: 'raw'; readonly maxBytes: number };

export type GroupAccess = {
  /** Access rules the group supports; a route with any other fails at startup. */
  readonly holds: readonly Access[];
  /**
   * The caller; null if the request identifies no user. `identified` is called as soon as it is known who that is, so
   * that a refusal can be traced to them.
   * @throws if they may not call this route
   */
  callerOf(
    route: AnyRoute,
    request: IncomingRequest,
    deps: HttpDeps,
    identified: (caller: Caller) => void,
  ): Promise<Caller | null>;
};

/**
 * Converts an error to this group's format. `body` is the product's own error body; nothing else about an error may be
 * sent.
 */
export type ErrorShape = (body: ErrorBody, status: number) => object;

export type RouteGroup = {
  /** Prefix of every path, such as `/api/v1`. */
  readonly prefix: string;
  readonly routes: readonly AnyRoute[];
  readonly errorShape: ErrorShape;
  readonly bodies: Bodies;
  readonly access: GroupAccess;
  /**
   * For deliveries that are authenticated by a signature over their bytes. They do not count toward the per-address
   * limit, but those that are refused have one of their own.
   */
  readonly deliveries?: {
    /** Judges a delivery by its headers, before its body is read. @throws HttpError */
    admit(headers: IncomingRequest['headers'], deps: HttpDeps): void;
  };
};
