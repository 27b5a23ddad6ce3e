/** A route as data: validation, ownership, the OpenAPI document and the test matrix are all read from these. */
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { CommandContext } from '../commands/context.ts';
import type { JobDocument } from '../projections/jobs.ts';
import type { StoredDocument } from '../readModels/readModels.ts';
import type { Caller } from './auth/session.ts';
import type { HttpDeps } from './deps.ts';
import type { Download, Reply } from './reply.ts';
import type { LimitName, RateLimiter } from './server/rateLimits.ts';

/**
 * Who may call. `owner-of-job`: the signed-in owner of the job that the path names. `owner-of-named-job`: of the job that the query
 * names, or of none when it names none. What is not the caller's does not exist for them: 404, for admins too. `signed`: whoever can sign the request
 * as its group demands, nobody in particular.
 */
export const ACCESS = ['public', 'user', 'admin', 'owner-of-job', 'owner-of-named-job', 'signed'] as const;
export type Access = (typeof ACCESS)[number];
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type OwnJob = StoredDocument<JobDocument>;

type CallerOf<A extends Access> = A extends 'public' | 'signed' ? null : Caller;
/** Reads get the job itself. Writes name it only: a repeat of a finished deletion has no document any more. */
type JobOf<A extends Access, M extends Method> = M extends 'GET'
  ? A extends 'owner-of-job'
    ? OwnJob
    : A extends 'owner-of-named-job'
      ? OwnJob | null
      : null
  : null;

export type RouteRequest<Params = unknown, Query = unknown, Body = unknown, A extends Access = Access, M extends Method = Method, Plan = unknown> = {
  readonly deps: HttpDeps;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: CallerOf<A>;
  readonly job: JobOf<A, M>;
  readonly command: CommandContext;
  /** What `plan` found; null without one. */
  readonly plan: Plan;
  readonly address: string;
  /** What the client calls itself. */
  readonly agent: string;
  /** The token that was sent, whatever it is good for. */
  readonly bearer: string | null;
  /** Those that were sent, by their names. An answer sets some as a `Reply`. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly limiter: RateLimiter;
  /** Aborts when the client has gone away or the handler's time is up: for whatever may take long. */
  readonly signal: AbortSignal;
  /** With the request's id. */
  readonly log: () => Logger;
};

type Schema = z.ZodType;
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
  /** Below `/api/v1`, parameters in braces: `/jobs/{jobId}`. */
  readonly path: string;
  readonly access: A;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Of a route with a body: one that it takes, for its page and its tests. `{jobId}` stands for the id of a job of the caller's; so does any such name. */
  readonly example?: B extends Schema ? z.input<B> : never;
  readonly response: R;
  /** Of success; default 200. */
  readonly status?: 200 | 201 | 202;
  /** Of the body; default 100 kB. */
  readonly maxBodyBytes?: number;
  /** Forms are let in, too, with nothing of what they say. */
  readonly takesForms?: true;
  readonly limit?: Exclude<LimitName, 'address' | 'user' | 'apiKey'>;
  /** Not open to API keys: sessions, passwords, keys and the account itself are the owner's own business. Everything under `/auth` is so anyway. */
  readonly sessionOnly?: true;
  /** Of an admin's route: open to a key of the scope `reports:read`, too, while whoever made it may administer. */
  readonly openToAnalysts?: true;
  /** What it is sent or answers is a secret, so nothing of it is kept: an Idempotency-Key has no effect. */
  readonly secret?: true;
  /** Error codes beyond those that its access and inputs imply. */
  readonly refusals?: readonly string[];
  /**
   * The answer holds content that a deletion must erase: it is not kept with an Idempotency-Key. A repeat runs again under the same command id,
   * which changes nothing a second time.
   */
  readonly answerNotKept?: true;
  /**
   * With an Idempotency-Key: what the write is about, as JSON, found before the first try and kept with the key, so that a repeat
   * after a crash goes on with the same plan although the world has moved.
   */
  readonly plan?: (request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A, M, null>) => Promise<Plan>;
  readonly handler: (request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>, A, M, Plan>) => Promise<z.output<R> | Reply<z.output<R>> | Download>;
};

/** Any route, as the mounting, the OpenAPI document and the tests see it. */
// biome-ignore lint/suspicious/noExplicitAny: handlers take the inputs of their own schemas.
export type AnyRoute = RouteDefinition<Method, Access, any, any, any, any, any>;

/** Declares a route with its handler typed by its schemas and its access. */
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
