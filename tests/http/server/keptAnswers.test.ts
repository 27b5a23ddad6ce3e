/** An answer that never changes is made and compressed once. */
import { afterEach, describe, expect, it } from 'vitest';
import type { SampleView } from '../../../src/http/contract/sample.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

let app: TestApp;
afterEach(() => app.close());

/** Counts how often an answer is made of it. */
function countedSample() {
  const report = 'A report. '.repeat(1_000);
  let made = 0;
  const sample: SampleView = {
    get site() {
      made += 1;
      return 'demo.example';
    },
    generated_at: '2026-03-10T12:00:00.000Z',
    score: 61,
    pages: 9,
    findings: 30,
    analyst: 'built-in',
    summary: 'A summary.',
    report,
    actions: [],
  };
  return { sample, report, made: () => made };
}

describe('the sample report', () => {
  it('is made once, however often it is asked for and in whatever encoding', async () => {
    const { sample, report, made } = countedSample();
    app = await startTestApp({ deps: { sample } });
    const texts: string[] = [];
    for (const encoding of ['identity', 'gzip', 'br', 'br', 'gzip']) {
      const answer = await fetch(`${app.url}/api/v1/sample`, { headers: { 'accept-encoding': encoding } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      texts.push(await answer.text());
    }
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ success: true, data: { site: 'demo.example', report } });
    expect(made()).toBe(1);
  });

  it('counts toward the limit of an address all the same, and is no answer where there is none', async () => {
    app = await startTestApp({ rateLimits: { address: { points: 2, seconds: 60 } } });
    const statuses = [];
    for (let nth = 0; nth < 3; nth += 1) statuses.push((await app.call('GET', '/api/v1/sample')).status);
    expect(statuses).toEqual([404, 404, 429]);
    await app.close();
    app = await startTestApp({ deps: countedSample(), rateLimits: { address: { points: 2, seconds: 60 } } });
    const others = [];
    for (let nth = 0; nth < 3; nth += 1) others.push((await app.call('GET', '/api/v1/sample')).status);
    expect(others).toEqual([200, 200, 429]);
  });
});
