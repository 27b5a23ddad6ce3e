import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiAnswer } from '../../../web/api/call.ts';
import { untilShown } from '../../../web/api/notShownYet.ts';

beforeEach(() => void vi.useFakeTimers());

const behind = (retryAfter?: string): ApiAnswer => ({
  failure: { status: 503, code: 'NOT_SHOWN_YET', message: 'In a moment.', ...(retryAfter ? { retryAfter } : {}) },
});

describe('an answer that is not shown yet', () => {
  it.each([
    ['0', 500],
    ['1', 1_000],
    ['3600', 10_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 2_000],
    [undefined, 2_000],
  ])('is asked for again after a time within reason: Retry-After %s', async (retryAfter, wait) => {
    const ask = vi.fn(
      async (): Promise<ApiAnswer> => (ask.mock.calls.length > 1 ? { data: 'shown' } : behind(retryAfter)),
    );
    const answer = untilShown(ask);
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual({ data: 'shown' });
  });

  it('is asked for during two minutes', async () => {
    const ask = vi.fn(async () => behind());
    const answer = untilShown(ask);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await answer).toEqual(behind());
    expect(ask).toHaveBeenCalledTimes(61);
  });

  it('is not asked for again once nobody waits for it', async () => {
    const left = new AbortController();
    const ask = vi.fn(async () => behind());
    const answer = untilShown(ask, left.signal);
    await vi.advanceTimersByTimeAsync(3_000);
    left.abort();
    expect(await answer).toEqual(behind());
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
