/** One clock for all relative times on the page. */
import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;
/** Times rendered together agree, and no render uses an outdated time. */
const EXACT_MS = 1_000;
let now = 0;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, EVERY_MS);
  return () => clearInterval(timer);
}

function current(): number {
  const time = Date.now();
  if (Math.abs(time - now) > EXACT_MS) now = time;
  return now;
}

/** Ms since the epoch, as of the last render or tick: precise enough for minutes. */
export function useClock(): number {
  return useSyncExternalStore(subscribe, current);
}
