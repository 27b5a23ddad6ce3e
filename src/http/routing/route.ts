/** A route as data: validation, ownership, the OpenAPI document and the test matrix are all derived from it. */
import type { Logger } from 'pino';
import type * as z from 'zod';
import type { CommandContext } from '../../commands/context.ts';
import type { DeepReadonly } from '../../model/deepReadonly.ts';
import type { AnalystScope } from '../../model/programs.ts';
import type { JobDocument } from '../../projections/jobs.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import type { LimitName, RateLimiter } from '../request/rateLimits.ts';
import type { Download, Reply } from '../request/reply.ts';
import type { SecurityDetails, SecurityEventName } from '../usage/securityLog.ts';

/**
 * Who may call. `owner-of-job`: the logged-in owner of the job in the path. `owner-of-named-job`: the owner of the job
 * named in the query, which may name none. Other users' data counts as missing: 404, for admins too. `signed`: anyone
 * who can sign the request as its group requires, without identifying a user.
 */
export const ACCESS = ['public', 'user', 'admin', 'owner-of-job', 'owner-of-named-job', 'signed'] as const;
export type Access = (typeof ACCESS)[number];
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type OwnJob = StoredDocument<JobDocument>;

type CallerOf<A extends Access> = A extends 'public' | 'signed' ? null : Caller;
/** Reads get the job itself. Writes only name it: when a completed deletion is repeated, there is no document left. */
type JobOf<A extends Access, M extends Method> = M extends 'GET'
  ? A extends 'owner-of-job'
    ? OwnJob
    : A extends 'owner-of-named-job'
      ? OwnJob | null
      : null
  : null;

export type RouteRequest<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  A extends Access = Access,
  M extends Method = Method,
  Plan = unknown,
> = {
  readonly deps: HttpDeps;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: CallerOf<A>;
  readonly job: JobOf<A, M>;
  readonly command: CommandContext;
  /** Result of `plan`; null without one. */
  readonly plan: Plan;
  readonly address: string;
  /** The client's user agent. */
  readonly agent: string;
  /** The token sent, valid or not. */
  readonly bearer: string | null;
  /** Cookies sent, by name. A response sets cookies with a `Reply`. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly limiter: RateLimiter;
  /** Asked with HEAD: what a read records must not be recorded, since nothing is shown. */
  readonly headOnly?: true;
  /** Aborted when the client is gone or the handler has timed out; pass it to anything slow. */
  readonly signal: AbortSignal;
  /** Includes the request id. */
  readonly log: () => Logger;
  /** Writes to the security log: how the request ended for somebody's access. Refusals are noted by their codes. */
  readonly noteSecurity: (event: SecurityEventName, details?: SecurityDetails) => void;
};

type Schema = z.ZodType;
/** What the response is picked from: it may have more fields. */
type Answer<R extends Schema> = DeepReadonly<z.output<R>>;
type Parsed<S> = S extends Schema ? z.output<S> : Record<string, never>;

export type RouteDefinition<
  M extends Method = Method,
  A extends Access = Access,
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  R extends Schema = Schema,
  Plan = unknown,
> = {
  readonly method: M;
  /** Below `/api/v1`, with parameters in braces: `/jobs/{jobId}`. */
  readonly path: string;
  readonly access: A;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /**
   * For a route with a body: a valid example, for its documentation and tests. `{jobId}` stands for the id of one of
   * the caller's jobs; other names work alike.
   */
  readonly example?: B extends Schema ? z.input<B> : never;
  readonly response: R;
  /** Status on success; default 200. */
  readonly status?: 200 | 201 | 202;
  /** Maximum size of the body; default 100 kB. */
  readonly maxBodyBytes?: number;
  /**
   * With a format other than JSON, the response is a file; `ndjson`: always, and the schema is that of its lines;
   * `ndjson-or-csv`: the same, with another format on request; `csv`: always, and the schema is that of its text.
   */
  readonly sendsFiles?: true | 'ndjson' | 'ndjson-or-csv' | 'csv';
  /** Form posts are accepted too, but their content is ignored. */
  readonly takesForms?: true;
  readonly limit?: Exclude<LimitName, 'address' | 'user' | 'apiKey' | 'mcp'>;
  /**
   * Not available with API keys: sessions, passwords, keys and the account itself are the owner's alone. Implied for
   * everything under `/auth`.
   */
  readonly sessionOnly?: true;
  /**
   * For an admin route: also available with a key of this scope, as long as its creator is an admin. A key of scope
   * `events:read` opens those for `reports:read`, too.
   */
  readonly openToAnalysts?: AnalystScope;
  /** The request or response is secret, so none of it is stored: an Idempotency-Key has no effect. */
  readonly secret?: true;
  /**
   * Its response holds a secret that is shown once and stored nowhere. With an Idempotency-Key it is carried out once,
   * and a repeat is answered 409 with this text: what was made, and how to replace it.
   */
  readonly shownOnce?: (
    response: z.output<R>,
    request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A, M, Plan>,
  ) => string;
  /**
   * Only the read models can answer it. While they are behind, a request with an Idempotency-Key is answered 503
   * NOT_SHOWN_YET, and the same key gets the answer later; one without is answered 202 with the ids of what was written
   * and its place in `Location`.
   */
  readonly answerMayLag?: true;
  /** Error codes beyond those implied by its access and inputs. */
  readonly refusals?: readonly string[];
  /**
   * The response contains data that a deletion must erase, so it is not stored with an Idempotency-Key. A repeat runs
   * again under the same command id, which has no further effect.
   */
  readonly answerNotKept?: true;
  /** A public read whose answer is the same for everybody and never changes: it is made, and compressed, once. */
  readonly neverChanges?: true;
  /** It may read whole streams, or far back in the log: few such requests run at once, and the others wait. */
  readonly readsLong?: true;
  /**
   * With an Idempotency-Key: what the write applies to, as JSON, determined before the first attempt and stored with
   * the key, so that a repeat after a crash follows the same plan even if the data has changed.
   */
  readonly plan?: (request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A, M, null>) => Promise<Plan>;
  readonly handler: (
    request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A, M, Plan>,
  ) => Promise<Answer<R> | Reply<Answer<R>> | Download>;
};

/** Any route, as used for binding, the OpenAPI document and the tests. */
// biome-ignore lint/suspicious/noExplicitAny: handlers take the inputs of their own schemas.
export type AnyRoute = RouteDefinition<Method, Access, any, any, any, any, any>;

/** Declares a route whose handler is typed by its schemas and access. */
export function route<
  const M extends Method,
  const A extends Access,
  R extends Schema,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  Plan = null,
>(definition: RouteDefinition<M, A, P, Q, B, R, Plan>): RouteDefinition<M, A, P, Q, B, R, Plan> {
  return definition;
}
