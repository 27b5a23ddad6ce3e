/** The action items for a spreadsheet or a program. */
import type { ActionItem } from './actionItem.ts';
import { forExport } from './sorting.ts';

const COLUMNS: readonly (readonly [name: string, read: (item: ActionItem) => string | number | null])[] = [
  ['id', (item) => item.id],
  ['title', (item) => item.title],
  ['status', (item) => item.status],
  ['impact', (item) => item.impact],
  ['category', (item) => item.category],
  ['difficulty', (item) => item.difficulty],
  ['time_estimate', (item) => item.minutes],
  ['time_to_result', (item) => item.results],
  ['business_value', (item) => item.businessValue],
  ['problem', (item) => item.problem],
  ['solution', (item) => item.solution],
  ['code_example', (item) => item.code],
  ['tags', (item) => item.tags.join(', ')],
  ['pages', (item) => item.pages.join(' ')],
  ['started_at', (item) => item.startedAt],
  ['completed_at', (item) => item.completedAt],
  ['effectiveness_rating', (item) => item.rating],
  ['notes', (item) => item.notes],
];

/** RFC 4180, with the byte order mark by which spreadsheets know UTF-8. */
export function exportCsv(items: readonly ActionItem[]): string {
  const rows = forExport(items).map((item) => COLUMNS.map(([, read]) => cell(read(item))));
  return `\uFEFF${[COLUMNS.map(([name]) => name), ...rows].map((row) => row.join(',')).join('\r\n')}\r\n`;
}

/** What a spreadsheet would take for a formula loses that meaning: the texts quote strangers' pages. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function exportJson(items: readonly ActionItem[], domain: string, exportedAt: string): string {
  const actions = forExport(items).map((item) => ({
    ...Object.fromEntries(COLUMNS.map(([name, read]) => [name, read(item)])),
    tags: item.tags,
    pages: item.pages,
    evidence: item.evidence,
  }));
  return `${JSON.stringify({ domain, exported_at: exportedAt, actions }, null, 2)}\n`;
}
