/** A server whose lists are behind what was written, and the time that passes meanwhile. */
import { act } from '@testing-library/react';
import { vi } from 'vitest';

export const NOT_SHOWN_TEXT = 'This was accepted and will be shown in a moment. Please try again.';

/** As the server answers it. */
export const notShownYet = (retryAfter = '2'): Response =>
  new Response(JSON.stringify({ success: false, error: NOT_SHOWN_TEXT, code: 'NOT_SHOWN_YET' }), {
    status: 503,
    headers: { 'Content-Type': 'application/json', 'Retry-After': retryAfter },
  });

/** A reply that is not shown yet the first `times` times. */
export function shownAfter(times: number, reply: unknown): () => unknown {
  let left = times;
  return () => (left-- > 0 ? notShownYet() : reply);
}

/** From here on time passes as it does, or at once with `later`. */
export const holdTime = (): unknown => vi.useFakeTimers({ shouldAdvanceTime: true });
export const later = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms));
