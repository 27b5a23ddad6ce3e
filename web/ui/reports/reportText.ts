/** Display texts of report values. */
import { dollarsText } from '../../../src/model/modelUse.ts';
import type { ReportColumn, ReportColumnKind, ReportRow } from '../../../src/model/reports.ts';
import { moneyText } from '../text/money.ts';
import { dayOf, exactTime } from '../text/time.ts';
import { grouped } from '../text/wording.ts';

const NOTHING = '–';

/** Text of a table cell. */
export function cellText({ key, kind }: Pick<ReportColumn, 'key' | 'kind'>, row: ReportRow): string {
  return valueText(kind, row[key] ?? null, currencyOf(row));
}

export const currencyOf = (row: ReportRow): string | null => (typeof row.currency === 'string' ? row.currency : null);

export function valueText(kind: ReportColumnKind, value: string | number | null, currency: string | null): string {
  if (value === null || value === '') return NOTHING;
  if (typeof value === 'string') return kind === 'date' ? dateText(value) : value;
  switch (kind) {
    case 'money':
      return moneyText(value, currency);
    case 'cost':
      return dollarsText(value);
    case 'share':
      return shareText(value);
    case 'duration':
      return durationText(value);
    case 'count':
    case 'number':
      return numberText(value);
    case 'text':
    case 'date':
      return String(value);
    default:
      kind satisfies never;
      return NOTHING;
  }
}

/** Days are in the server's calendar; times are local. */
const dateText = (iso: string): string =>
  iso.length === 10 ? dayOf(iso).replace(/^(\w{3})\w*/, '$1') : exactTime(iso);

function numberText(value: number): string {
  if (!Number.isInteger(value)) {
    const [whole = '0', rest = ''] = Math.abs(value).toFixed(2).split('.');
    return `${value < 0 ? '-' : ''}${grouped(Number(whole))}.${rest}`;
  }
  return value < 0 ? `-${grouped(-value)}` : grouped(value);
}

/** One decimal, so that shares in a column can be compared. */
export const shareText = (share: number): string => `${(share * 100).toFixed(1)}%`;

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units: '3 d 4 h', '2 min 5 s', '320 ms'. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const first = UNITS.findIndex(([, length]) => ms >= length);
  const [unit, length] = UNITS[first] ?? UNITS[3];
  const next = UNITS[first + 1];
  const whole = Math.floor(ms / length);
  const rest = next ? Math.floor((ms - whole * length) / next[1]) : 0;
  return next && rest > 0 ? `${grouped(whole)} ${unit} ${rest} ${next[0]}` : `${grouped(whole)} ${unit}`;
}

/** Short texts for an axis: '$1,250', '40%', '3 d'. */
export function axisText(kind: ReportColumnKind, value: number, currency: string | null): string {
  if (kind === 'money') return moneyText(value, currency).replace(/\.00$/, '');
  if (kind === 'cost') return dollarsText(value);
  if (kind === 'share') return `${Math.round(value * 100)}%`;
  if (kind === 'duration') return durationText(value).split(' ').slice(0, 2).join(' ');
  return numberText(value);
}
