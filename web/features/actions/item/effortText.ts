import { shortDuration } from '../../../../src/model/wording.ts';

/** In minutes, and as all other texts write it: `45 min`, `180 min (3 h)`. */
export function effortText(minutes: number): string {
  const text = shortDuration(minutes);
  const inMinutes = `${minutes} min`;
  return text === inMinutes ? text : `${inMinutes} (${text})`;
}
