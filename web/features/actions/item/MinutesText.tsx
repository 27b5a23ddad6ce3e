import { effortText } from './effortText.ts';

export function MinutesText({ minutes }: { minutes: number }) {
  return <span>{minutes <= 0 ? 'Not estimated' : effortText(minutes)}</span>;
}
