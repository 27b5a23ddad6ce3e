/** Resources that assistants ask for and do not read: how much of one user the server keeps for them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenAnalysis } from '../../given/analysis.ts';
import { keyOf } from '../../given/product/assistant.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

/** Far more than a connection takes by itself, however large its buffers. */
const CHARS = 1_900_000;
/** A part fits into an event. */
const PARTS = 10;

let app: TestApp;
let user: TestUser;
let uri: string;
beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  user = await app.signUp();
  const { jobId } = await givenAnalysis(app, user.userId);
  const to = { jobId, userId: user.userId, file: 'findings.json', parts: PARTS, writtenAt: app.deps.now() };
  const text = '茶'.repeat(CHARS / PARTS);
  for (let part = 0; part < PARTS; part += 1)
    await app.given(`report-${jobId}`, { type: 'ReportPartWritten', data: { ...to, part, text } });
  uri = `seo://audits/${jobId}/findings`;
});
afterAll(() => app.close());

async function ask(key: string, what: string, signal = AbortSignal.timeout(10_000)): Promise<string> {
  const response = await fetch(`${app.url}/api/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: what } }),
    signal,
  });
  const { value } = (await response.body?.getReader().read()) ?? {};
  return new TextDecoder().decode(value).slice(0, 400);
}

it('refuses a user whose resources wait unread, whichever key asks, and gives them once they are gone', async () => {
  const [one, other] = [await keyOf(user), await keyOf(user)];
  const leaving = new AbortController();
  const answers: string[] = [];
  for (let nth = 0; nth < 20; nth += 1) answers.push(await ask(nth % 2 === 0 ? one : other, uri, leaving.signal));
  const refused = answers.filter((answer) => /still on their way/.test(answer));
  expect(refused.length).toBeGreaterThan(5);
  expect(refused.length).toBeLessThan(15);
  expect(answers[0]).toContain('"contents"');
  expect(await ask(one, 'seo://tasks')).toContain('"contents"');
  leaving.abort();
  await expect.poll(async () => ask(one, uri)).toContain('"contents"');
});
