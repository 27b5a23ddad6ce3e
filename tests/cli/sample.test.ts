/** The sample report is a real audit of the demo site by the engine, served without logging in. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeSample } from '../../src/cli/sample.ts';
import { SampleResponse, type SampleView } from '../../src/http/contract/sample.ts';
import { wholeScore } from '../../src/model/scores.ts';
import { startTestApp } from '../given/product/http.ts';

it('comes from the engine and the demo site, is reproducible, and is served without a session', async () => {
  const sample = await makeSample('2026-03-10T12:00:00.000Z');
  const built = JSON.parse(readFileSync(new URL('../../dist/sample.json', import.meta.url), 'utf8')) as SampleView;
  expect(sample.score).toBeGreaterThan(20);
  expect(sample.score).toBeLessThan(90);
  expect(sample.actions.length).toBeGreaterThan(15);
  expect(sample.summary).toContain(`${wholeScore(sample.score ?? 0)} of 100`);
  expect(sample.site).toBe('http://demo-shop.example/');
  expect(sample.summary).toContain('demo-shop.example');
  expect(sample.report).toContain('demo-shop.example');
  // The address that served it during the audit must not leak.
  expect(JSON.stringify(sample)).not.toMatch(/127\.0\.0\.1|localhost|\[::1\]/);
  expect(built.actions.map(({ id }) => id)).toEqual(sample.actions.map(({ id }) => id));
  expect(built.score).toBe(sample.score);
  const app = await startTestApp({ deps: { sample } });
  const answer = await app.call('GET', '/api/v1/sample');
  expect(SampleResponse.safeParse(answer.body).error).toBeUndefined();
  expect(answer.body.data).toEqual(sample);
  await app.close();
});

it('answers 404 if it was not built', async () => {
  const app = await startTestApp();
  expect(await app.call('GET', '/api/v1/sample')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  await app.close();
});
