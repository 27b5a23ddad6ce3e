import { once } from 'node:events';
import { get } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Readiness } from '../../../src/http/deps/deps.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

let app: TestApp;
afterEach(() => app.close());

/** `fetch` sets the host itself. */
async function statusOf(port: string, headers: Record<string, string>): Promise<number | undefined> {
  const [response] = await once(get({ host: '127.0.0.1', port, path: '/metrics', headers }), 'response');
  response.resume();
  return response.statusCode;
}

const FORWARDED = { 'x-forwarded-for': '203.0.113.1' };
const TOKEN = 'a-long-metrics-token';

describe('/healthz', () => {
  it('answers although the health checks fail', async () => {
    app = await startTestApp({
      deps: {
        health: { ready: () => Promise.reject(new Error('gone')), lag: () => Promise.reject(new Error('gone')) },
      },
    });
    expect(await app.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } });
  });
});

describe('/readyz', () => {
  it('gives strangers only the status, and this machine the reason', async () => {
    const readiness: Readiness = { ok: false, checks: { projections: { ok: false, detail: '120 behind' } } };
    app = await startTestApp({ deps: { health: { ready: async () => readiness, lag: async () => ({}) } } });
    expect(await app.call('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not ready', checks: readiness.checks },
    });
    expect((await app.call('GET', '/readyz', { headers: FORWARDED })).body).toEqual({ status: 'not ready' });
  });

  it('checks the stores once a second, however many requests there are', async () => {
    const ready = vi.fn(async () => ({ ok: true, checks: {} }));
    app = await startTestApp({ deps: { health: { ready, lag: async () => ({}) } } });
    await Promise.all(Array.from({ length: 20 }, () => app.call('GET', '/readyz')));
    expect(ready.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('is not ready when the check itself fails', async () => {
    app = await startTestApp({
      deps: { health: { ready: () => Promise.reject(new Error('disk gone')), lag: async () => ({}) } },
    });
    expect((await app.call('GET', '/readyz')).status).toBe(503);
    expect((await app.call('GET', '/readyz', { headers: FORWARDED })).text).not.toContain('disk');
  });
});

describe('/metrics', () => {
  it('counts requests by route, never by address, and shows lag, delay and sockets', async () => {
    app = await startTestApp({
      deps: { health: { ready: async () => ({ ok: true, checks: {} }), lag: async () => ({ jobs: 3 }) } },
    });
    const user = await app.signUp();
    await user.call('GET', '/api/v1/jobs/some-id-of-a-job');
    const { text, headers } = await app.call('GET', '/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/jobs\/\{jobId\}",status="404"\} 1/,
    );
    expect(text).toContain('projection_lag_events{model="jobs"} 3');
    expect(text).toMatch(/event_loop_delay_p99_seconds \d/);
    expect(text).toContain('realtime_sockets 0');
    expect(text).not.toContain('some-id-of-a-job');
  });

  it('shows pending work by kind, what this process does of it, and the lag of followers', async () => {
    const audit = {
      kind: 'audit',
      depth: 12,
      oldestSeconds: 90.5,
      givenUp: 2,
      here: { running: 2, tries: 40, failed: 3, givenUp: 1 },
    };
    const work = {
      kinds: [audit, { kind: 'mail', depth: 0, oldestSeconds: 0, givenUp: 0, here: null }],
      followers: [{ follower: 'planFiles', behind: 5, oldestSeconds: 2 }],
    };
    app = await startTestApp({ deps: { work: { measure: async () => work } } });
    const metrics = async () => (await app.call('GET', '/metrics')).text;
    const lines = (await metrics()).split('\n').filter((line) => /^(work|follower)_/.test(line));
    expect(lines.sort()).toEqual([
      'follower_lag_events{follower="planFiles"} 5',
      'follower_oldest_seconds{follower="planFiles"} 2',
      'work_failed_total{kind="audit"} 3',
      'work_given_up_total{kind="audit"} 1',
      'work_given_up{kind="audit"} 2',
      'work_given_up{kind="mail"} 0',
      'work_items{kind="audit"} 12',
      'work_items{kind="mail"} 0',
      'work_oldest_seconds{kind="audit"} 90.5',
      'work_oldest_seconds{kind="mail"} 0',
      'work_running{kind="audit"} 2',
      'work_tries_total{kind="audit"} 40',
    ]);
    // Read again, it shows the current values, not twice as much.
    expect(await metrics()).toContain('work_tries_total{kind="audit"} 40');
  });

  it('is open to this machine only, under its own names', async () => {
    app = await startTestApp();
    const { port } = new URL(app.url);
    const asked = (headers: Record<string, string>) => statusOf(port, { host: `localhost:${port}`, ...headers });
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await asked({ host })).toBe(200);
    // A page of a foreign site whose name resolves here, open in the operator's browser.
    for (const host of ['evil.example', `localhost.evil.example:${port}`, '127.0.0.1.evil.example'])
      expect(await asked({ host })).toBe(404);
    // A proxy on this machine.
    for (const header of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])
      expect(await asked({ [header]: '1' })).toBe(404);
  });

  it('requires the token everywhere if one is set, on this machine too', async () => {
    app = await startTestApp({ config: { metricsToken: TOKEN } });
    const get = async (headers: Record<string, string>) => (await app.call('GET', '/metrics', { headers })).status;
    expect(await get({})).toBe(404);
    expect(await get({ authorization: `Bearer ${TOKEN}` })).toBe(200);
    expect(await get(FORWARDED)).toBe(404);
    expect(await get({ ...FORWARDED, authorization: `Bearer ${TOKEN}` })).toBe(200);
    expect(await get({ ...FORWARDED, authorization: 'Bearer wrong' })).toBe(404);
    expect(await get({ ...FORWARDED, authorization: `Bearer ${TOKEN}x` })).toBe(404);
  });
});
