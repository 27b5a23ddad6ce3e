import { minutesText } from '../../../ui/text/wording.ts';

/** Effort in minutes, with hours on hover. */
export function MinutesText({ minutes }: { minutes: number }) {
  if (minutes <= 0) return <span>Not estimated</span>;
  return <span title={minutesText(minutes)}>{minutes} min</span>;
}
