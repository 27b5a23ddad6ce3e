/** Tools call the routes of the API as their user's own program: with its key, from its address, within its limits. */
import type * as z from 'zod';
import type { ErrorBody } from '../contract/errors.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { API } from '../request/apiPrefix.ts';
import { Download } from '../request/reply.ts';
import type { AnyRoute } from '../routing/route.ts';

export type RouteInput = {
  readonly params?: Readonly<Record<string, string>>;
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
};

type AnswerOf<R> = R extends { readonly response: infer S extends z.ZodType } ? z.output<S> : never;

/** @throws RouteRefusal */
export type CallRoute = <R extends Pick<AnyRoute, 'method' | 'path' | 'response'>>(
  route: R,
  input?: RouteInput,
) => Promise<AnswerOf<R>>;

/** An error of the API. */
export class RouteRefusal extends Error {
  readonly status: number;
  readonly body: Partial<ErrorBody>;
  readonly retryAfter: string | undefined;
  constructor(status: number, body: Partial<ErrorBody>, retryAfter?: string) {
    super(body.error ?? `The API answered ${status}`);
    this.name = 'RouteRefusal';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** The address of a route below the API's prefix, without its query. */
export const pathOf = ({ path }: Pick<AnyRoute, 'path'>, params: RouteInput['params'] = {}): string =>
  API + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

export const queryOf = ({ query = {} }: RouteInput): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

export type CallFrom = {
  readonly requestId: string;
  readonly authorization: string;
  readonly agent: string;
  readonly address: string;
  readonly signal: AbortSignal;
};

/** Calls the routes in this process. */
export function callsWithin(dispatch: Dispatch, from: CallFrom): CallRoute {
  return (async (route: AnyRoute, input: RouteInput = {}) => {
    const { params = {}, body, idempotencyKey } = input;
    const answer = await dispatch(route, {
      id: from.requestId,
      path: pathOf(route, params),
      params,
      query: queryOf(input),
      body,
      headers: {
        authorization: from.authorization,
        'user-agent': from.agent,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      address: from.address,
      signal: from.signal,
    });
    if (answer.status >= 400)
      throw new RouteRefusal(answer.status, answer.body as ErrorBody, answer.headers['Retry-After']);
    if (answer.body instanceof Download) throw new Error(`${route.path} sends a file, which is no answer of a tool`);
    return answer.body;
  }) as CallRoute;
}
