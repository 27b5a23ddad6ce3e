import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from './time.ts';

const EVERY_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all dates of the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, EVERY_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Minutes are exact enough; a row that came since the last tick is 'just now', never in the future. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const ticked = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={iso} title={exactTime(iso)} className={className}>
      {relativeTime(iso, Math.max(ticked, Date.parse(iso)))}
    </time>
  );
}
