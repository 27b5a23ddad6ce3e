/** `/v1`: authentication, idempotency, responses. */
import { createHash } from 'node:crypto';
import { API_VERSION, type SandboxContext } from '../books/context.ts';
import type { Store } from '../books/store.ts';
import { ApiError, invalid } from './apiError.ts';
import type { Engine } from './engine.ts';
import { expanded } from './expand.ts';
import type { Faults } from './faults.ts';
import { canonical, type Form } from './form.ts';
import { type Match, matchRoute, type Route } from './route.ts';

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  readonly authorization: string | undefined;
  readonly version: string | undefined;
  readonly idempotencyKey: string | undefined;
};

export type ApiAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The work was done, but no response is sent. */
  readonly lost?: boolean;
};

export type ApiDeps = {
  readonly engine: Engine;
  readonly store: Store;
  readonly routes: readonly Route[];
  readonly keys: { readonly secret: string; readonly publishable: string };
  readonly ids: (prefix: string) => string;
  readonly clock: () => number;
  readonly faults: Faults;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: (line: string) => void;
  /** There may be events to deliver. */
  readonly written: () => void;
};

type Kept = { readonly request: string; readonly request_id: string; readonly status: number; readonly body: string };

const LONGEST_KEY = 255;

function tokenOf(authorization: string | undefined): string {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ');
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString('utf8').replace(/:.*$/, '');
  return /^bearer$/i.test(scheme) ? value : '';
}

const unauthorized = (message: string): ApiError => new ApiError(401, { type: 'invalid_request_error', message });

/** @throws ApiError when it is not the sandbox's key, or not sufficient for this */
function checkKey({ authorization, form }: ApiRequest, match: Match, { keys, store }: ApiDeps): void {
  const token = tokenOf(authorization);
  if (token === '')
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  if (token === keys.secret) return;
  if (token !== keys.publishable)
    throw unauthorized(
      `Invalid API Key provided: ${token.slice(0, 8)}${'*'.repeat(Math.max(0, Math.min(20, token.length - 12)))}${token.length > 12 ? token.slice(-4) : ''}`,
    );
  if (!match.route.open)
    throw new ApiError(403, {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
    });
  if (match.id === '') return;
  const intent = store.get('payment_intent', match.id) ?? store.get('setup_intent', match.id);
  if (!intent || intent.client_secret !== form.client_secret) {
    throw new ApiError(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${match.id.startsWith('seti_') ? 'setupintent' : 'payment_intent'}: '${match.id}'`,
      param: 'intent',
    });
  }
}

function checkVersion(version: string | undefined): void {
  if (version !== undefined && version !== API_VERSION)
    throw invalid(
      `Invalid Stripe API version: ${version}. This sandbox speaks ${API_VERSION}.`,
      undefined,
      'Stripe-Version',
    );
}

/** Answers API requests. */
export function createApi(deps: ApiDeps): { answer(request: ApiRequest): Promise<ApiAnswer> } {
  const { engine, store, routes, ids, clock, faults, wait, log } = deps;
  const kept = store.db.prepare<[string], Kept>('SELECT request, request_id, status, body FROM answers WHERE key = ?');
  const keep = store.db.prepare('INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)');
  const underWay = new Set<string>();

  const headersOf = (requestId: string, key: string | undefined): Record<string, string> => ({
    'request-id': requestId,
    'stripe-version': API_VERSION,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  });

  function perform(
    request: ApiRequest,
    match: Match,
    requestId: string,
    key: string | undefined,
    fingerprint: string,
  ): ApiAnswer {
    const { expand, ...form } = request.form;
    const paths = Array.isArray(expand) ? expand.map(String) : expand === undefined ? [] : [String(expand)];
    const run = match.route.prepare(form);
    const note = (status: number, body: string): void => {
      if (key !== undefined) keep.run(key, fingerprint, requestId, status, body, clock());
    };
    const answerOf = (status: number, body: object): ApiAnswer => ({
      status,
      headers: headersOf(requestId, key),
      body: JSON.stringify(body, null, 2),
    });
    if (faults.strikes('server_error', `${request.method} ${request.path}`)) {
      const failed = answerOf(
        500,
        new ApiError(500, { type: 'api_error', message: 'An unknown error occurred' }).body(requestId),
      );
      // As at Stripe: the same key gets the same error from then on.
      note(500, failed.body);
      return failed;
    }
    try {
      return engine.work({ id: requestId, idempotencyKey: key ?? null }, (context: SandboxContext) => {
        const answer = ((): ApiAnswer => {
          try {
            return answerOf(200, expanded(context, run(context, match.id, match.more), paths));
          } catch (error) {
            if (error instanceof ApiError && error.kept) return answerOf(error.status, error.body(requestId));
            throw error;
          }
        })();
        note(answer.status, answer.body);
        return answer;
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 402) throw error;
      const refused = answerOf(error.status, error.body(requestId));
      note(refused.status, refused.body);
      return refused;
    }
  }

  async function answerOnce(request: ApiRequest, match: Match, requestId: string): Promise<ApiAnswer> {
    const key = request.method === 'POST' ? request.idempotencyKey : undefined;
    if (key !== undefined && key.length > LONGEST_KEY)
      throw invalid(`Idempotency keys must be at most ${LONGEST_KEY} characters.`);
    const what = `${request.method} ${request.path}`;
    const fingerprint = createHash('sha256')
      .update(`${what} ${canonical(request.form)}`)
      .digest('hex');
    if (key !== undefined && underWay.has(key)) {
      throw new ApiError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotency Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
      });
    }
    if (key !== undefined) underWay.add(key);
    try {
      const slow = faults.strikes('slow', what);
      if (slow) await wait(slow.ms);
      if (faults.strikes('rate_limit', what))
        throw new ApiError(429, {
          type: 'invalid_request_error',
          code: 'rate_limit',
          message: 'Too many requests in a short period of time. Please slow down.',
        });
      const before = key === undefined ? undefined : kept.get(key);
      if (before && before.request !== fingerprint) {
        throw new ApiError(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        });
      }
      if (before)
        return {
          status: before.status,
          headers: {
            ...headersOf(requestId, key),
            'idempotent-replayed': 'true',
            'original-request': before.request_id,
          },
          body: before.body,
        };
      const answer = perform(request, match, requestId, key, fingerprint);
      return faults.strikes('lose_answer', what) ? { ...answer, lost: true } : answer;
    } finally {
      if (key !== undefined) underWay.delete(key);
    }
  }

  return {
    answer: async (request) => {
      const requestId = `req_${ids('req')}`;
      try {
        const match = matchRoute(routes, request.method, request.path);
        if (!match)
          throw new ApiError(404, {
            type: 'invalid_request_error',
            message: `Unrecognized request URL (${request.method}: ${request.path}).`,
          });
        checkKey(request, match, deps);
        checkVersion(request.version);
        return await answerOnce(request, match, requestId);
      } catch (error) {
        const known =
          error instanceof ApiError
            ? error
            : new ApiError(500, { type: 'api_error', message: 'The sandbox failed. Its log says more.' });
        if (known !== error)
          log(
            `${request.method} ${request.path} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
          );
        return {
          status: known.status,
          headers: headersOf(requestId, undefined),
          body: JSON.stringify(known.body(requestId), null, 2),
        };
      } finally {
        deps.written();
      }
    },
  };
}
