/** The product's API as a client program would use it. */
import { randomUUID } from 'node:crypto';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { checkAnswer } from './answers.ts';
import { exchange } from './exchange.ts';

export type ApiClient = {
  readonly token: string;
  readonly userId: string;
  call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: T }>;
  submit(url: string): Promise<JobView>;
  job(id: string): Promise<JobView>;
  file(id: string, name: string): Promise<string>;
  /** Polls until `until` holds; fails after `timeoutMs`. */
  waitForJob(id: string, until: (job: JobView) => boolean, timeoutMs?: number): Promise<JobView>;
};

export const FINAL = new Set(['completed', 'failed', 'partial_success', 'partially_completed']);

/** `isFormer`: a server of the former version, whose answers need not be what today's contract says. */
type Server = { readonly url: string; readonly isFormer?: boolean };
const serverOf = (base: string | Server): Server => (typeof base === 'string' ? { url: base } : base);

async function request<T>(
  base: string | Server,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const { url, isFormer } = serverOf(base);
  const { status, text } = await exchange(`${url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!text.startsWith('{')) return { status, body: text as T };
  const parsed = JSON.parse(text) as T;
  if (!isFormer) checkAnswer(method, path, status, parsed);
  return { status, body: parsed };
}

export async function logIn(
  base: string | Server,
  credentials: { email: string; password: string },
): Promise<ApiClient> {
  const { status, body } = await request<{ token: string; user_id: string }>(
    base,
    null,
    'POST',
    '/api/v1/auth/login',
    credentials,
  );
  if (status !== 200) throw new Error(`Log-in failed with ${status}: ${JSON.stringify(body)}`);
  return clientOf(base, body.token, body.user_id);
}

export async function signUp(base: string | Server, email = `user-${randomUUID()}@example.com`): Promise<ApiClient> {
  const { status, body } = await request<{ token: string; user_id: string }>(
    base,
    null,
    'POST',
    '/api/v1/auth/signup-first',
    {
      email,
      password: 'a good password',
    },
  );
  if (status !== 200 && status !== 201) throw new Error(`Sign-up failed with ${status}: ${JSON.stringify(body)}`);
  return clientOf(base, body.token, body.user_id);
}

export function clientOf(base: string | Server, token: string, userId: string): ApiClient {
  const client: ApiClient = {
    token,
    userId,
    call: (method, path, body, headers) => request(base, token, method, path, body, headers),
    async submit(url) {
      const { status, body } = await client.call<{ data: JobView }>('POST', '/api/v1/process', { url });
      if (status >= 300) throw new Error(`Submission failed with ${status}: ${JSON.stringify(body)}`);
      return body.data;
    },
    async job(id) {
      const { status, body } = await client.call<{ data: JobView }>('GET', `/api/v1/jobs/${id}`);
      if (status !== 200) throw new Error(`Job ${id}: ${status}`);
      return body.data;
    },
    async file(id, name) {
      const { status, body } = await client.call<{ data: { content: string } }>(
        'GET',
        `/api/v1/jobs/${id}/files/${name}`,
      );
      if (status !== 200) throw new Error(`File ${name}: ${status}`);
      return body.data.content;
    },
    async waitForJob(id, until, timeoutMs = 90_000) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const { status, body } = await client.call<{ data: JobView }>('GET', `/api/v1/jobs/${id}`);
        // Accepted, but not visible yet: retried, as the answer says.
        if (status !== 200 && status !== 503) throw new Error(`Job ${id}: ${status}`);
        if (status === 200 && until(body.data)) return body.data;
        if (Date.now() > end)
          throw new Error(
            `Job ${id} is still ${status === 200 ? `${body.data.status} (${body.data.progress} %)` : status} after ${timeoutMs} ms`,
          );
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    },
  };
  return client;
}
