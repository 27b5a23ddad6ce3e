/**
 * What a preview shows of a job's files. Promised is the whole picture of the site (score, what is wrong and where, summary, pages) and eight
 * fixes; kept back are the other fixes. Shown are the first eight action items, so what they fix is told whole, and of everything else the fault
 * but not its cure:
 * - `executive-summary.md`, `pages.csv`: whole.
 * - `seo-audit-report.md`: each finding with its pages and why it matters; 'What to do' and code only for causes that the eight items fix. The
 *   analyst's own section stays as it was written: it names priorities, not the list.
 * - `action-items.md`: the sections of the eight items, and at its end how many there are in all.
 * - `findings.json`: the findings that the eight items fix and their checks, with the true total beside them.
 * Whatever cannot be told apart for sure stays here: without a board there are no items, and without readable findings no cures.
 */
import type { BoardDocument, BoardItem } from '../../projections/boards.ts';
import type { FILE_NAMES } from '../contract/jobs.ts';
import { visibleItems } from './action.ts';
import { markedLines, splitSections } from './markdownSections.ts';

export type FileName = (typeof FILE_NAMES)[number];

export type PreviewSources = {
  readonly board: BoardDocument | null;
  /** The stored `findings.json`. */
  readonly findings: string | null;
};

export function previewOf(name: FileName, content: string, { board, findings }: PreviewSources): string {
  const shown = board ? visibleItems(board, 'preview') : [];
  if (name === 'action-items.md') return previewItems(content, board?.items ?? [], shown);
  if (name === 'findings.json') return previewFindings(content, shown);
  if (name === 'seo-audit-report.md') return previewReport(content, findings ?? '', shown);
  return content;
}

/** The file has a section for each item, in the plan's order; when it has not, only its beginning is shown. */
function previewItems(content: string, items: readonly BoardItem[], shown: readonly BoardItem[]): string {
  const { head, sections } = splitSections(content, (line) => /^## \d+\. /.test(line));
  const ids = new Set(shown.map((item) => item.id));
  const kept = sections.length === items.length ? sections.filter((_, index) => ids.has(items[index]?.id ?? '')) : [];
  const texts = kept.map(({ heading, body }, index) => [heading.replace(/^## \d+\./, `## ${index + 1}.`), ...body].join('\n').trim());
  const end = items.length > kept.length ? [`---\n\n*This preview shows ${kept.length} of ${items.length} action items.*`] : [];
  return `${[head.join('\n').trim(), ...texts, ...end].filter((part) => part !== '').join('\n\n')}\n`;
}

/** The findings that a preview shows: those that the shown items fix. */
export function shownFindingIds({ board, findings }: PreviewSources): ReadonlySet<unknown> {
  return fixedBy(board ? visibleItems(board, 'preview') : [], parseFindings(findings ?? '')).ids;
}

type Findings = {
  readonly findings: readonly { readonly id?: unknown; readonly checkId?: unknown }[];
  readonly checks: readonly { readonly id?: unknown; readonly title?: unknown }[];
};

function previewFindings(content: string, shown: readonly BoardItem[]): string {
  const stored = parseFindings(content);
  const { ids, checkIds } = fixedBy(shown, stored);
  const findings = stored.findings.filter(({ id }) => ids.has(id));
  const checks = stored.checks.filter(({ id }) => checkIds.has(id));
  const preview = { findings_shown: findings.length, findings_total: stored.findings.length };
  return `${JSON.stringify({ ...stored, findings, checks, preview }, null, 2)}\n`;
}

const CURE = '**What to do:**';

function previewReport(content: string, findings: string, shown: readonly BoardItem[]): string {
  const stored = parseFindings(findings);
  const { checkIds } = fixedBy(shown, stored);
  const titles = new Set(stored.checks.filter(({ id }) => checkIds.has(id)).map(({ title }) => title));
  const { head, sections } = splitSections(content, (line) => /^#{1,4} /.test(line));
  const texts = sections.map(({ heading, body }) => {
    const isCause = heading.startsWith('#### ');
    return [heading, ...(isCause && !titles.has(heading.slice('#### '.length)) ? withoutCure(body) : body)].join('\n');
  });
  return [...(head.length > 0 ? [head.join('\n')] : []), ...texts].join('\n');
}

function withoutCure(body: readonly string[]): string[] {
  return markedLines(body).flatMap(({ line, inCode }) => {
    if (inCode) return [];
    return line.startsWith(CURE) ? [`${CURE} part of the full report.`] : [line];
  });
}

/** The findings that the items fix, and the checks that these come from. */
function fixedBy(items: readonly BoardItem[], stored: Findings): { readonly ids: ReadonlySet<unknown>; readonly checkIds: ReadonlySet<unknown> } {
  const ids = new Set<unknown>(items.flatMap((item) => item.findingIds));
  const checkIds = new Set<unknown>(stored.findings.filter(({ id }) => ids.has(id)).map(({ checkId }) => checkId));
  return { ids, checkIds };
}

function parseFindings(content: string): Findings {
  const stored = parseRecord(content);
  const list = (value: unknown): readonly object[] => (Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : []);
  return { ...stored, findings: list(stored.findings), checks: list(stored.checks) };
}

function parseRecord(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
