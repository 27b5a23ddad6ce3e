/**
 * Work that a worker does after its request was answered `pending`: to the app, the request ends when the work does.
 */
import type { ReworksResponse, ReworkView } from '../../src/http/contract/reworks.ts';
import type { ApiAnswer, ApiCall } from './call.ts';
import type { ApiFailure } from './failure.ts';
import { callEach } from './listeners.ts';

const listeners = new Set<() => void>();

/** Called when the socket reports that some work has changed, or may have. */
export function workChanged(): void {
  callEach(listeners, (listener) => listener());
}

/** Polling interval, so that it also works without a socket, in ms. */
const ASK_AGAIN_MS = 5_000;

export function pendingIn(data: unknown): ReworkView | null {
  const { pending, rework } = (typeof data === 'object' && data !== null ? data : {}) as {
    pending?: true;
    rework?: ReworkView;
  };
  return pending && rework ? rework : null;
}

/** Null when the work was done; otherwise why it was given up, or why the outcome is unknown. */
export async function endOfWork(
  { id, job_id, ask }: ReworkView,
  call: (asked: ApiCall) => Promise<ApiAnswer>,
  signal: AbortSignal,
): Promise<ApiFailure | null> {
  for (;;) {
    // Subscribed before the request, so that a change during the request is not missed.
    const changed = nextChange(signal);
    const { data, failure } = await call({ path: `/api/v1/jobs/${encodeURIComponent(job_id)}/reworks` });
    if (signal.aborted) return { status: 0, code: 'ABORTED', message: '' };
    if (failure && failure.status >= 400 && failure.status < 500 && failure.status !== 429) return failure;
    const now = (data as ReworksResponse | undefined)?.reworks.find((rework) => rework.id === id);
    if (now && now.ask >= ask && now.status === 'done') return null;
    if (now && now.ask >= ask && now.status === 'failed')
      return { status: 503, code: now.code ?? 'GIVEN_UP', message: now.error ?? '' };
    await changed;
  }
}

function nextChange(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      listeners.delete(end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ASK_AGAIN_MS);
    listeners.add(end);
    signal.addEventListener('abort', end);
  });
}
