/**
 * Processes a request for a route, independent of the transport: rate limit, caller, input, ownership, idempotency,
 * handler, timeout, and errors as data. Knows nothing of a server; a binding builds the `IncomingRequest` and writes
 * out the answer.
 */

import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type * as z from 'zod';
import type { CommandContext } from '../../commands/context.ts';
import { UNSTORABLE } from '../../eventStore/eventStore.ts';
import { ascending } from '../../model/order.ts';
import { getJob } from '../../projections/jobs.ts';
import { actorOf } from '../auth/actor.ts';
import { type ApiKeyUse, createApiKeyUse } from '../auth/apiKeyUse.ts';
import { mayAsOwner } from '../auth/policy.ts';
import { bearerToken } from '../auth/session.ts';
import type { AcceptedResponse } from '../contract/accepted.ts';
import { ErrorBody } from '../contract/errors.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { findNamedJob } from '../jobs/namedJob.ts';
import { picked } from '../present/pick.ts';
import { API } from '../request/apiPrefix.ts';
import type { Caller } from '../request/caller.ts';
import { cookiesIn } from '../request/cookies.ts';
import {
  alreadyShown,
  answerError,
  HttpError,
  type Issue,
  invalidInput,
  issuesOf,
  jobNotFound,
  notFound,
  plainSentence,
  unauthenticated,
} from '../request/errors.ts';
import type { IncomingRequest, RouteAnswer } from '../request/exchange.ts';
import type { RateLimiter } from '../request/rateLimits.ts';
import { Download, Reply } from '../request/reply.ts';
import { NotShownYet } from '../routing/afterWrite.ts';
import { accept, type KeptAnswer, keepAnswer, keyedRequest, lookUp } from '../routing/idempotency.ts';
import { justSubmitted } from '../routing/justMade.ts';
import type { AnyRoute, OwnJob, RouteRequest } from '../routing/route.ts';
import type { RouteGroup } from '../routing/routeGroup.ts';
import { noteRefusal } from './securityRefusals.ts';

/** Never rejects: errors become answers. */
export type Dispatch = (route: AnyRoute, request: IncomingRequest) => Promise<RouteAnswer>;

export type DispatchDeps = {
  readonly deps: HttpDeps;
  readonly limiter: RateLimiter;
  /**
   * A slower handler is answered with 503; a write may still have happened, so a retry must carry an Idempotency-Key.
   */
  readonly handlerMs?: number;
};

const HANDLER_MS = 30_000;

type Serving = DispatchDeps & {
  readonly group: Pick<RouteGroup, 'access' | 'errorShape'>;
  readonly keyUse: ApiKeyUse;
  readonly signal: AbortSignal;
  readonly identified: (caller: Caller) => void;
  readonly received: (body: unknown) => void;
};
type Served = Omit<RouteAnswer, 'userId'>;

export function createDispatch(given: DispatchDeps, group: Pick<RouteGroup, 'access' | 'errorShape'>): Dispatch {
  const keyUse = createApiKeyUse();
  return async (route, request) => {
    let userId: string | null = null;
    const identified = (caller: Caller): void => {
      userId = caller.userId;
    };
    let body = request.body;
    const received = (read: unknown): void => {
      body = read;
    };
    const ended = new AbortController();
    const signal = AbortSignal.any([request.signal, ended.signal]);
    // Many calls of one request wait for it at once.
    setMaxListeners(0, signal);
    try {
      const served = await within(
        given.handlerMs ?? HANDLER_MS,
        serve(route, request, { ...given, group, keyUse, signal, identified, received }),
        ended,
      );
      return { ...served, userId };
    } catch (thrown) {
      const failure = answerError(isAbort(thrown, signal) ? signal.reason : thrown, request.id);
      noteRefusal(given.deps.securityLog, { route, request: { ...request, body }, error: thrown, userId });
      if (failure.unexpected)
        given.deps.log.error({ err: thrown, requestId: request.id }, 'request failed unexpectedly');
      return {
        status: failure.status,
        headers: failure.headers,
        cookies: [],
        body: group.errorShape(failure.body, failure.status),
        userId,
      };
    }
  };
}

/** What a library throws when aborted is not an error of its own. */
const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error instanceof Error && error.name === 'AbortError';

async function serve(route: AnyRoute, asked: IncomingRequest, serving: Serving): Promise<Served> {
  const { deps, limiter } = serving;
  const caller = await serving.group.access.callerOf(route, asked, deps, serving.identified);
  if (caller) {
    serving.identified(caller);
    await limiter.count('user', caller.userId);
    if (caller.apiKey) await limiter.count('apiKey', caller.apiKey.keyId);
    serving.keyUse.note(deps, caller, asked.id);
    deps.userPresence.note(caller.userId);
  }
  if (route.limit) await limiter.count(route.limit, caller?.userId ?? asked.address);
  const incoming = asked.readBody ? { ...asked, body: await asked.readBody() } : asked;
  serving.received(incoming.body);
  const request = requestOf(route, incoming, caller, serving);
  const key = route.method === 'GET' || route.secret ? '' : (incoming.headers['idempotency-key'] ?? '');
  if (key && caller) return onceForKey(route, request, caller, key, incoming, serving.group);
  return carryOut(route, { ...request, job: await ownJob(route, request, caller) }).catch(acceptedIfWritten);
}

function requestOf(
  route: AnyRoute,
  incoming: IncomingRequest,
  caller: Caller | null,
  { deps, limiter, signal }: Serving,
): RouteRequest {
  const { headers, address } = incoming;
  let log: Logger | undefined;
  return {
    deps,
    ...parse(route, incoming),
    caller,
    job: null,
    command: commandOf(deps, deps.newId(), caller, incoming.id, signal),
    plan: null,
    address,
    headers,
    agent: headers['user-agent'] ?? '',
    bearer: bearerToken(headers.authorization),
    cookies: cookiesIn(headers.cookie),
    limiter,
    signal,
    ...(incoming.headOnly ? { headOnly: true } : {}),
    log: () => {
      log ??= deps.log.child({ requestId: incoming.id });
      return log;
    },
    noteSecurity: (event, details) => deps.securityLog.note(event, address, { ...details, requestId: incoming.id }),
  };
}

/** Never a failure after the write, as a client without a key would write again. */
function acceptedIfWritten(error: unknown): Served {
  if (!(error instanceof NotShownYet) || !error.made) throw error;
  const { ids, location } = error.made;
  const body: AcceptedResponse = {
    success: true,
    accepted: true,
    ids: { ...ids },
    message: 'This was accepted and will be shown in a moment.',
  };
  return { status: 202, headers: { Location: `${API}${location}` }, cookies: [], body };
}

/** Each holds up to tens of thousands of events in memory. */
const longReads = pLimit(2);

/** While it waited for its turn, nobody may be left who waits for the answer. */
async function handle(route: AnyRoute, request: RouteRequest): Promise<object> {
  request.signal.throwIfAborted();
  return route.handler(request);
}

async function carryOut(route: AnyRoute, request: RouteRequest): Promise<Served> {
  const answer: object = await (route.readsLong ? longReads(() => handle(route, request)) : route.handler(request));
  const status = route.status ?? 200;
  if (answer instanceof Download) return { status, headers: {}, cookies: [], body: answer };
  const { body, cookies } = answer instanceof Reply ? answer : { body: answer, cookies: [] };
  return { status, headers: {}, cookies, body: picked(route.response, body) as object };
}

/**
 * Everything to be done once per key is decided before the request is accepted; after that, every repeat carries out
 * that decision.
 */
async function onceForKey(
  route: AnyRoute,
  request: RouteRequest,
  caller: Caller,
  key: string,
  incoming: IncomingRequest,
  { errorShape }: Serving['group'],
): Promise<Served> {
  const { deps, signal } = request;
  const by = { userId: caller.userId, actor: actorOf(caller), requestId: incoming.id };
  const asked = Object.entries(incoming.query).sort(([one], [other]) => ascending(one, other));
  const content = asked.length > 0 ? { query: asked, body: request.body } : request.body;
  const keyed = keyedRequest(by, `${route.method} ${incoming.path}`, key, content, deps.newId);
  const own = { ...request, command: commandOf(deps, keyed.commandId, caller, incoming.id, signal) };
  const served = ({ status, body }: KeptAnswer, headers: Served['headers']): Served => {
    return { status, headers, cookies: [], body: status >= 400 ? errorShape(ErrorBody.parse(body), status) : body };
  };
  let state = await lookUp(deps.store, keyed);
  if (!state.accepted) {
    await ownJob(route, own, caller);
    const plan = route.plan ? await route.plan({ ...own, plan: null }) : null;
    state = await accept(deps.store, keyed, plan, deps.now());
  }
  if (state.answer) return served(state.answer, { 'Idempotency-Replayed': 'true' });
  const planned = { ...own, plan: state.accepted?.plan ?? null };
  if (route.answerNotKept) return carryOut(route, planned);
  let headers: Served['headers'] = {};
  const answer: KeptAnswer = await carryOut(route, planned).catch((error: unknown) => {
    const refusal = answerError(error, incoming.id);
    // Only final outcomes are kept: temporary failures, unexpected errors and aborted requests can be retried.
    if (refusal.status >= 500 || refusal.status === 429 || signal.aborted) throw error;
    headers = refusal.headers;
    return { status: refusal.status, body: refusal.body };
  });
  if (!route.shownOnce || answer.status >= 400) {
    return served(
      await keepAnswer(deps.store, keyed, { status: answer.status, body: answer.body }, deps.now()),
      headers,
    );
  }
  const { status, body } = answerError(alreadyShown(route.shownOnce(answer.body, planned)), incoming.id);
  // Even if it cannot be kept, the secret is shown: the command itself recognizes a repeat.
  await keepAnswer(deps.store, keyed, { status, body }, deps.now()).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'an answer was not stored for its Idempotency-Key'),
  );
  return served(answer, headers);
}

/** @throws HttpError JOB_NOT_FOUND if the named job is missing or another user's */
async function ownJob(route: AnyRoute, request: RouteRequest, caller: Caller | null): Promise<OwnJob | null> {
  if (route.access !== 'owner-of-job' && route.access !== 'owner-of-named-job') return null;
  if (!caller) throw unauthenticated();
  const job =
    route.access === 'owner-of-job'
      ? await getJob(request.deps.readModels, (request.params as { jobId: string }).jobId)
      : await findNamedJob(
          request.deps.readModels,
          caller.userId,
          request.query as { jobId?: string; domain?: string; timestamp?: string },
        );
  if (!job) {
    const jobId =
      route.access === 'owner-of-job'
        ? (request.params as { jobId: string }).jobId
        : (request.query as { jobId?: string }).jobId;
    if (jobId === undefined) return null;
    const made = await justSubmitted(request.deps, { jobId, userId: caller.userId });
    if (!made) throw jobNotFound();
    return made;
  }
  if (!mayAsOwner(caller, route.method === 'GET' ? 'read' : 'change', { kind: 'job', ownerId: job.data.userId })) {
    throw jobNotFound({ anothers: true });
  }
  return job;
}

function commandOf(
  { store, now }: HttpDeps,
  commandId: string,
  caller: Caller | null,
  requestId: string,
  signal: AbortSignal,
): CommandContext {
  return { store, now, commandId, actor: actorOf(caller), correlationId: requestId, signal };
}

function parse(route: AnyRoute, incoming: IncomingRequest): { params: unknown; query: unknown; body: unknown } {
  const issues: Issue[] = [];
  const part = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return {};
    const parsed = schema.safeParse(value, { error: plainSentence });
    if (parsed.success) return parsed.data;
    issues.push(...issuesOf(parsed.error));
    return {};
  };
  // Nothing has such an id: it could not be part of a stream's name.
  if (Object.values(incoming.params).some((id) => UNSTORABLE.test(String(id)))) throw notFound();
  const params = part(route.params, incoming.params);
  // Unknown fields and parameters are dropped by every schema: other clients send more than this server reads.
  const query = part(route.query, { ...incoming.query });
  const body = part(route.body, incoming.body ?? {});
  if (issues.length > 0) throw invalidInput(issues);
  return { params, query, body };
}

/** Rejects when the time is up, without waiting for the work, and aborts its signal. */
function within<T>(ms: number, work: Promise<T>, ended: AbortController): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = new HttpError('TIMED_OUT', 'This takes longer than it should. Please try again shortly.', {
        headers: { 'Retry-After': '5' },
      });
      reject(late);
      ended.abort(late);
    }, ms);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
