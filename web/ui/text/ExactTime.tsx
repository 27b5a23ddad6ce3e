import { exactTime } from './time.ts';

/** For views of the past, where 'yesterday' would be the day before today. */
export function ExactTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} className="whitespace-nowrap">
      {exactTime(iso)}
    </time>
  );
}
