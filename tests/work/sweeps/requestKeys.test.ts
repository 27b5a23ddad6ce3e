import { describe, expect, it } from 'vitest';
import { accept, keepAnswer, keyedRequest, lookUp } from '../../../src/http/routing/idempotency.ts';
import { createRequestKeys } from '../../../src/work/sweeps/requestKeys.ts';
import { product } from '../../given/commands.ts';
import { still } from '../../given/work/following.ts';

const DAY = 24 * 60;

describe('stored answers', () => {
  it('are erased after thirty days; a later request with the same key is a new request', async () => {
    const made = product();
    const { store, now } = made;
    const asking = { userId: 'ann', actor: { kind: 'user', id: 'ann' }, requestId: 'request' } as const;
    const requestOf = (key: string) =>
      keyedRequest(asking, 'POST /api/v1/process', key, { url: 'https://example.com/' }, () => crypto.randomUUID());
    const [old, young] = [requestOf('old'), requestOf('young')];
    const answer = { status: 202, body: { received: 'PLANTED' } };
    const ask = async (request: typeof old) => {
      await accept(store, request, null, now());
      return keepAnswer(store, request, answer, now());
    };
    await ask(old);
    made.pass(29 * DAY);
    await ask(young);
    const sweep = createRequestKeys({ context: made.context });
    expect(await sweep.run(null, still)).toMatchObject({ done: 0 });
    made.pass(2 * DAY);
    const { done, kept } = await sweep.run(null, still);
    expect(done).toBe(1);
    expect(await lookUp(store, old)).toEqual({ accepted: null, answer: null });
    expect((await lookUp(store, young)).answer).toEqual(answer);
    expect(await made.log()).toHaveLength(2);
    expect(await accept(store, old, 'plan', now())).toEqual({ accepted: { plan: 'plan' }, answer: null });
    expect(await ask(old)).toEqual(answer);
    expect(await sweep.run(kept, still)).toMatchObject({ done: 0 });
  });
});
