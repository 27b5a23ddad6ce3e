/** Numbers and times in words: one rule for screens, texts and files. */

/** `1 page`, `1,200 pages`. */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}`;
}

const HOUR = 60;
/** From here on, minutes are noise. */
const WHOLE_HOURS_FROM = 10 * HOUR;

/** The time of one piece of work: `20 minutes`, `3 hours 20 minutes`, `27 hours`. */
export function durationText(minutes: number): string {
  const { hours, rest } = partsOf(minutes);
  return [hours > 0 && count(hours, 'hour'), rest > 0 && count(rest, 'minute')].filter(Boolean).join(' ');
}

/** The same where there is little room: `20 min`, `3 h 20 min`, `27 h`. */
export function shortDuration(minutes: number): string {
  const { hours, rest } = partsOf(minutes);
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ');
}

function partsOf(minutes: number): { readonly hours: number; readonly rest: number } {
  if (minutes >= WHOLE_HOURS_FROM) return { hours: Math.round(minutes / HOUR), rest: 0 };
  const whole = Math.max(1, Math.round(minutes));
  return { hours: Math.floor(whole / HOUR), rest: whole % HOUR };
}

/** A sum of estimates, in whole hours as on the dashboard: `45 minutes`, `about 7 hours`. */
export function totalText(minutes: number): string {
  return minutes < HOUR ? durationText(minutes) : `about ${count(Math.round(minutes / HOUR), 'hour')}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[], last: 'and' | 'or' = 'and'): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

/** Steps in one paragraph. */
export const stepsText = (steps: readonly string[]): string => steps.join(' ');

/** The same as plain text, without marks for code. */
export const plainSteps = (steps: readonly string[]): string => stepsText(steps).replaceAll('`', '');

/** Time until a fix shows, from the catalog’s `1-3 weeks`, `immediate` or `unknown`; '' if unknown. */
export function resultsText(timeToResult: string): string {
  if (timeToResult === '' || timeToResult === 'unknown') return '';
  return timeToResult === 'immediate' ? 'immediate results' : `results in ${timeToResult}`;
}
