import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
/** Fails appends to streams that begin so, as when the process crashes there. */
let dieAt: string | null = null;
let appendsUntilDeath = 0;

beforeEach(async () => {
  dieAt = null;
  app = await startTestApp();
  const real = app.store.append.bind(app.store);
  const dying: EventStore['append'] = async (stream, events, options) => {
    if (dieAt !== null && stream.startsWith(dieAt)) {
      if (appendsUntilDeath <= 0) throw new Error('the process died here');
      appendsUntilDeath -= 1;
    }
    return real(stream, events, options);
  };
  Object.assign(app.store, { append: dying });
  await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
  await app.newEvents();
});
afterEach(() => app.close());

const submit = (key: string, url = 'example.com', path = '/api/v1/process') =>
  user.call('POST', path, { url }, { 'Idempotency-Key': key });
const types = async () => (await app.newEvents()).map((event) => event.type);

describe('a write with an Idempotency-Key', () => {
  it('happens once, and is answered alike', async () => {
    const first = await submit('key-1');
    const again = await submit('key-1');
    expect(first.status).toBe(202);
    expect(again).toMatchObject({ status: 202, text: first.text });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await types()).toEqual(['AnalysisReserved', 'JobSubmitted', 'JobQueued']);
  });

  it('happens once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit('key-1')));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(await types()).toEqual(['AnalysisReserved', 'JobSubmitted', 'JobQueued']);
  });

  it('is refused when the key comes with another body', async () => {
    await submit('key-1');
    await app.newEvents();
    expect(await submit('key-1', 'other.example')).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(await types()).toEqual([]);
  });

  it('is refused when the key comes with another query', async () => {
    const [one, other] = [await givenAnalysis(app, user.userId), await givenAnalysis(app, user.userId)];
    const subscribe = (jobId: string) =>
      user.call('POST', `/api/v1/actions/subscribe?jobId=${jobId}`, undefined, { 'Idempotency-Key': 'key-1' });
    expect((await subscribe(one.jobId)).status).toBe(200);
    expect(await subscribe(one.jobId)).toMatchObject({ status: 200 });
    expect(await subscribe(other.jobId)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('is another write with another key, path or user', async () => {
    const other = await app.signUp();
    await app.newEvents();
    await submit('key-1');
    await submit('key-2');
    await user.call('POST', '/api/v1/process/batch', { urls: ['example.com'] }, { 'Idempotency-Key': 'key-1' });
    expect(
      (await other.call('POST', '/api/v1/process', { url: 'example.com' }, { 'Idempotency-Key': 'key-1' })).status,
    ).toBe(202);
    expect((await types()).filter((type) => type === 'JobSubmitted')).toHaveLength(4);
  });

  it('stores a refusal too', async () => {
    for (let nth = 0; nth < 3; nth += 1) await submit(`key-${nth}`);
    const refused = await submit('key-x');
    expect(refused.status).toBe(402);
    app.advance(31 * 86_400_000);
    const { token } = (
      await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } })
    ).body;
    const again = await app.call('POST', '/api/v1/process', {
      token,
      body: { url: 'example.com' },
      headers: { 'Idempotency-Key': 'key-x' },
    });
    expect(again).toMatchObject({ status: 402, text: refused.text });
  });

  it('stores nothing for invalid input', async () => {
    expect((await submit('key-1', '')).status).toBe(400);
    expect((await submit('key-1')).status).toBe(202);
  });

  it('requires a valid key', async () => {
    for (const key of ['k'.repeat(256), 'with space'])
      expect(await submit(key)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });

  it('without a key happens each time', async () => {
    await user.call('POST', '/api/v1/process', { url: 'example.com' });
    await user.call('POST', '/api/v1/process', { url: 'example.com' });
    expect((await types()).filter((type) => type === 'JobSubmitted')).toHaveLength(2);
  });
});

describe('after a crash, a repeat completes the same write once', () => {
  for (const [where, streams, after] of [
    ['before the reservation', 'billing-', 0],
    ['between reservation and job', 'job-', 0],
    ['between two jobs of a batch', 'job-', 1],
  ] as const) {
    it(where, async () => {
      const batch = () =>
        user.call(
          'POST',
          '/api/v1/process/batch',
          { urls: ['a.example', 'b.example'] },
          { 'Idempotency-Key': 'key-1' },
        );
      [dieAt, appendsUntilDeath] = [streams, after];
      expect((await batch()).status).toBe(500);
      dieAt = null;
      const finished = await batch();
      expect(finished.status).toBe(202);
      expect(finished.body.jobs).toHaveLength(2);
      const happened = await types();
      expect(happened.filter((type) => type === 'AnalysisReserved')).toHaveLength(2);
      expect(happened.filter((type) => type === 'JobSubmitted')).toHaveLength(2);
      expect((await batch()).text).toBe(finished.text);
      expect((await user.call('GET', '/api/v1/subscription/status')).body.data.usage.used).toBe(2);
    });
  }

  it('when the process crashed between the command and the stored answer', async () => {
    [dieAt, appendsUntilDeath] = ['request-', 1];
    expect((await submit('key-1')).status).toBe(500);
    dieAt = null;
    const finished = await submit('key-1');
    expect(finished.status).toBe(202);
    expect(await types()).toEqual(['AnalysisReserved', 'JobSubmitted', 'JobQueued']);
  });

  it('when it deleted a job that is no longer there', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const remove = () => user.call('DELETE', `/api/v1/jobs/${jobId}`, undefined, { 'Idempotency-Key': 'key-1' });
    [dieAt, appendsUntilDeath] = ['request-', 1];
    expect((await remove()).status).toBe(500);
    dieAt = null;
    await app.readModels.reached(['jobs'], await app.store.head(), 2_000);
    expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).status).toBe(404);
    expect((await remove()).body).toEqual({ success: true, message: 'Job deleted successfully' });
    expect((await types()).filter((type) => type === 'JobDeleted')).toHaveLength(1);
  });

  it('when it deleted all jobs, with the first attempt’s count, sparing later jobs', async () => {
    await givenAnalysis(app, user.userId);
    await givenAnalysis(app, user.userId);
    const remove = () => user.call('DELETE', '/api/v1/jobs', undefined, { 'Idempotency-Key': 'key-1' });
    [dieAt, appendsUntilDeath] = ['job-', 1];
    expect((await remove()).status).toBe(500);
    dieAt = null;
    const later = await givenAnalysis(app, user.userId);
    expect((await remove()).body.data.deleted_count).toBe(2);
    expect((await user.call('GET', '/api/v1/jobs')).body.data.completed.map((job: { id: string }) => job.id)).toEqual([
      later.jobId,
    ]);
  });

  it('another user’s job is not reachable through a key', async () => {
    const other = await app.signUp();
    const { jobId } = await givenAnalysis(app, other.userId);
    for (const key of ['key-1', 'key-1'])
      expect((await user.call('DELETE', `/api/v1/jobs/${jobId}`, undefined, { 'Idempotency-Key': key })).status).toBe(
        404,
      );
    expect((await other.call('GET', `/api/v1/jobs/${jobId}`)).status).toBe(200);
  });
});
