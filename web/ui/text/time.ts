/**
 * Times as English text, from UTC ISO. Formatted by hand, since the browser's formatters load their tables on first
 * use, which blocks the page for 30 ms, and for over 100 ms on a phone.
 */

const STEPS: readonly (readonly [unit: string, seconds: number, last?: string, next?: string])[] = [
  ['year', 31_536_000, 'last year', 'next year'],
  ['month', 2_592_000, 'last month', 'next month'],
  ['week', 604_800, 'last week', 'next week'],
  ['day', 86_400, 'yesterday', 'tomorrow'],
  ['hour', 3600],
  ['minute', 60],
];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const dateOf = (iso: string): Date | null => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? null : date;
};

/** '3 hours ago', 'yesterday', 'in 2 days'; 'just now' within a minute; '' for an invalid time. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  if (Number.isNaN(seconds)) return '';
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (!step) return 'just now';
  const [unit, length, last, next] = step;
  const number = Math.trunc(seconds / length);
  const word = number === -1 ? last : number === 1 ? next : undefined;
  if (word) return word;
  const amount = `${Math.abs(number)} ${unit}${Math.abs(number) === 1 ? '' : 's'}`;
  return number < 0 ? `${amount} ago` : `in ${amount}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** In local time: 'Nov 22, 2026, 4:50 PM', with seconds where needed to tell times apart. */
export function exactTime(iso: string, to: 'minutes' | 'seconds' = 'minutes'): string {
  const date = dateOf(iso);
  if (!date) return '';
  const hours = date.getHours();
  const seconds = to === 'seconds' ? `:${twoDigits(date.getSeconds())}` : '';
  const time = `${hours % 12 || 12}:${twoDigits(date.getMinutes())}${seconds} ${hours < 12 ? 'AM' : 'PM'}`;
  return `${MONTHS[date.getMonth()]?.slice(0, 3)} ${date.getDate()}, ${date.getFullYear()}, ${time}`;
}

/** A day in the server's calendar: 'November 22, 2026'. */
export function dayOf(iso: string): string {
  const date = dateOf(iso);
  return date ? `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}` : '';
}
