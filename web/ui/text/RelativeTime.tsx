import { useClock } from './clock.ts';
import { exactTime, relativeTime } from './time.ts';

/** A row newer than the last tick is 'just now', never in the future. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const ticked = useClock();
  return (
    <time dateTime={iso} title={exactTime(iso)} className={className}>
      {relativeTime(iso, Math.max(ticked, Date.parse(iso)))}
    </time>
  );
}
