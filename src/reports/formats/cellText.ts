/** Formats the values of a report for a terminal or text output. */
import { dollarsText } from '../../model/modelUse.ts';
import { moneyText } from '../../model/money.ts';
import type { ReportColumn, ReportColumnKind, ReportRow } from '../../model/reports.ts';

const NOTHING = '–';

export function cellText({ key, kind }: Pick<ReportColumn, 'key' | 'kind'>, row: ReportRow): string {
  const value = row[key] ?? null;
  if (value === null || value === '') return NOTHING;
  if (typeof value === 'string') return kind === 'date' ? value.replace(/\.\d+Z$/, 'Z') : value;
  return kind === 'money'
    ? moneyText({ amount: value, currency: String(row.currency ?? 'usd') })
    : numberText(kind, value);
}

function numberText(kind: ReportColumnKind, value: number): string {
  if (kind === 'cost') return dollarsText(value);
  if (kind === 'share') return `${(value * 100).toFixed(1)}%`;
  if (kind === 'duration') return durationText(value);
  return new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(value);
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units: '3 d 4 h', '2 min 5 s', '320 ms'. */
function durationText(ms: number): string {
  const first = UNITS.findIndex(([, length]) => ms >= length);
  const [unit, length] = UNITS[first] ?? ['ms', 1];
  const next = first < 0 ? undefined : UNITS[first + 1];
  const whole = first < 0 ? Math.round(ms) : Math.floor(ms / length);
  const rest = next ? Math.floor((ms - whole * length) / next[1]) : 0;
  return next && rest > 0 ? `${whole} ${unit} ${rest} ${next[0]}` : `${whole} ${unit}`;
}

/** Numbers are right-aligned. */
export const isNumber = ({ kind }: Pick<ReportColumn, 'kind'>): boolean => kind !== 'text' && kind !== 'date';
