/**
 * The network's edge: answers `fetch` by route, typed by the contract's rows, and records the calls. A call that no
 * route answers fails its test, and so does one without the Idempotency-Key that it needs.
 */
import { expect, vi } from 'vitest';
import type { ErrorBody } from '../../../src/http/contract/errors.ts';
import { needsKey } from './keyedRoutes.ts';
import {
  actionsResponse,
  jobsResponse,
  loginResponse,
  mfaResponse,
  profileResponse,
  sessionsResponse,
  statusResponse,
  subscriptionResponse,
} from './views.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly token: string | null;
  readonly headers: Headers;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Reply = (call: Call) => unknown;
export class NetworkDown extends Error {}

export function refusal(status: number, error: string, code = 'REFUSED', more: Partial<ErrorBody> = {}): Answer {
  return { status, body: { success: false, error, code, ...more } };
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && 'status' in value && 'body' in value;

export interface FakeServer {
  readonly calls: Call[];
  readonly on: (route: string, reply: unknown) => void;
  readonly asked: (route: string) => Call[];
}

/** `on('GET /api/v1/jobs', reply)`: a value, or a function of the call that returns one or throws NetworkDown. */
export function fakeServer(): FakeServer {
  const routes = new Map<string, unknown>();
  const calls: Call[] = [];
  const answer = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const headers = new Headers(init.headers);
    const call: Call = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body:
        typeof init.body === 'string'
          ? JSON.parse(init.body)
          : init.body instanceof URLSearchParams
            ? Object.fromEntries(init.body)
            : undefined,
      token: headers.get('authorization')?.replace('Bearer ', '') ?? null,
      headers,
    };
    calls.push(call);
    const route = `${call.method} ${call.path}`;
    if (needsKey(route)) expect.soft(headers.has('idempotency-key'), `${route} has an Idempotency-Key`).toBe(true);
    if (!routes.has(route)) throw new Error(`no route for ${route}`);
    const reply = routes.get(route);
    const given = typeof reply === 'function' ? await (reply as Reply)(call) : reply;
    if (given instanceof Response) return given;
    const { status, body } = isAnswer(given) ? given : { status: 200, body: given };
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  };
  vi.stubGlobal('fetch', answer);
  const server: FakeServer = {
    calls,
    on: (route, reply) => void routes.set(route, reply),
    asked: (route) => calls.filter((call) => `${call.method} ${call.path}` === route),
  };
  server.on('GET /api/v1/status', statusResponse());
  server.on('GET /api/version', { success: true, version: '0.1.0' });
  server.on('GET /api/v1/auth/profile', profileResponse());
  server.on('POST /api/v1/auth/login', loginResponse());
  server.on('POST /api/v1/auth/logout', { success: true, message: 'Logged out' });
  server.on('GET /api/v1/jobs', jobsResponse([]));
  server.on('GET /api/v1/subscription/status', subscriptionResponse());
  server.on('GET /api/v1/auth/subscription/history', {
    success: true,
    data: { transactions: [], pagination: { limit: 10, has_more: false, cursor: null } },
  });
  server.on('GET /api/v1/actions', actionsResponse());
  server.on('GET /api/v1/actions/analyses', { success: true, analyses: [], cursor: null });
  server.on('GET /api/v1/jobs/job-1/reworks', { success: true, reworks: [] });
  server.on('GET /api/v1/auth/sessions', sessionsResponse());
  server.on('GET /api/v1/auth/identities', { success: true, identities: [], providers: [] });
  server.on('GET /api/v1/auth/passkeys', { success: true, data: [], limit: 20, available: true });
  server.on('GET /api/v1/auth/activity', { success: true, data: [], cursor: null });
  server.on('GET /api/v1/account/export/state', { success: true, export: null });
  server.on('GET /api/v1/auth/mfa', mfaResponse());
  server.on('GET /api/v1/auth/mail-preferences', {
    success: true,
    data: { job_done: true, subscription_ends: true, sequence: true },
  });
  server.on('GET /api/v1/admin/session', { success: true, data: { seconds_left: 1_800 } });
  server.on('POST /api/v1/admin/session', { success: true, data: { seconds_left: 1_800 } });
  return server;
}
