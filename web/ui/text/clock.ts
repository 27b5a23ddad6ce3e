/** One clock for all times of the page. */
import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;
/** What is drawn together says the same, and nothing that is drawn is behind. */
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

/** Milliseconds since 1970, as of the last draw or tick: minutes are exact enough. */
export function useClock(): number {
  return useSyncExternalStore(subscribe, current);
}
