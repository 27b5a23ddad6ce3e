/** Detects endless address spaces: calendars, stacked filters, paths that repeat themselves. Pure, but stateful. */

import { parseUrl } from '../../../model/parseUrl.ts';
import { urlPattern } from '../url.ts';
import { createLeftOut, type LeftOut } from './leftOut.ts';

type TrapCandidate = {
  readonly url: string;
  /** Length of the chain of same-pattern addresses leading here: page 2 from page 1, page 3 from page 2. */
  readonly chain: number;
};

export type Traps = {
  /** True if the address should be skipped; it is counted under its pattern. */
  readonly catches: (candidate: TrapCandidate) => boolean;
  readonly found: LeftOut['found'];
  readonly total: LeftOut['total'];
};

export const TRAP_LIMITS = {
  urlLength: 2000,
  segments: 16,
  repeats: 3,
  parameters: 6,
  /** Different addresses with the same path and at least three parameters. */
  combinations: 60,
  /** Days or months of one calendar. */
  dates: 24,
  /** Pages of one list that link to the next. */
  chain: 40,
} as const;

/** `year` is the current one: calendars are recognized by dates far from it. */
export function createTraps(year: number): Traps {
  const leftOut = createLeftOut();
  const combinations = new Map<string, number>();
  const dates = new Map<string, number>();
  const judge = (url: URL, candidate: TrapCandidate): string | null => {
    if (candidate.url.length > TRAP_LIMITS.urlLength) return 'very long addresses';
    const segments = url.pathname.split('/').filter((segment) => segment !== '');
    if (segments.length > TRAP_LIMITS.segments) return 'very deep paths';
    if (repeatsItself(segments)) return 'repeating paths';
    const pattern = urlPattern(candidate.url);
    const parameters = [...url.searchParams];
    if (parameters.length > TRAP_LIMITS.parameters) return pattern;
    if (parameters.length >= 3 && add(combinations, url.pathname) > TRAP_LIMITS.combinations) return pattern;
    if (candidate.chain > TRAP_LIMITS.chain) return pattern;
    return isEndlessCalendar(url, pattern, year, dates) ? pattern : null;
  };
  return {
    catches: (candidate) => {
      const url = parseUrl(candidate.url);
      const pattern = url ? judge(url, candidate) : null;
      if (pattern !== null) leftOut.add(pattern);
      return pattern !== null;
    },
    found: leftOut.found,
    total: leftOut.total,
  };
}

function add(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/** /a/a/a or /a/b/a/b/a/b: a relative link that keeps growing. */
function repeatsItself(segments: readonly string[]): boolean {
  for (let length = 1; length * TRAP_LIMITS.repeats <= segments.length; length++) {
    for (let start = 0; start + length * TRAP_LIMITS.repeats <= segments.length; start++) {
      if (isRepeated(segments, start, length)) return true;
    }
  }
  return false;
}

function isRepeated(segments: readonly string[], start: number, length: number): boolean {
  for (let index = 0; index < length * (TRAP_LIMITS.repeats - 1); index++) {
    if (segments[start + index] !== segments[start + index + length]) return false;
  }
  return true;
}

const DATE_PATH = /\/((?:19|20|21)\d{2})[/-](?:0?[1-9]|1[0-2])(?:[/-](?:0?[1-9]|[12]\d|3[01]))?\/?$/;
const DATE_VALUE = /^((?:19|20|21)\d{2})-?(?:0[1-9]|1[0-2])(?:-?(?:0[1-9]|[12]\d|3[01]))?$/;

/** The year of a date at the end of the path or in a parameter. An article below a date is not a calendar. */
function calendarYear(url: URL): number | null {
  const inPath = DATE_PATH.exec(url.pathname);
  if (inPath) return Number(inPath[1]);
  for (const [name, value] of url.searchParams) {
    const inQuery = DATE_VALUE.exec(value);
    if (inQuery) return Number(inQuery[1]);
    if (/^(?:year|yr|y)$/i.test(name) && /^\d{4}$/.test(value)) return Number(value);
  }
  return null;
}

function isEndlessCalendar(url: URL, pattern: string, year: number, dates: Map<string, number>): boolean {
  const named = calendarYear(url);
  if (named === null) return false;
  return named > year + 1 || add(dates, pattern.replace(/\*/g, '{n}')) > TRAP_LIMITS.dates;
}
