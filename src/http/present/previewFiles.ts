/**
 * What a preview shows of a job's files. It promises the whole picture of the site (score, what is wrong and where,
 * summary, pages) and eight fixes, and holds back the other fixes. Each file is written from data without the rest:
 * - `executive-summary.md`, `pages.csv`: complete.
 * - `seo-audit-report.md`: each finding with its pages and why it matters; what to do and code only for issues fixed by
 *   the eight items.
 * - `action-items.md`: the eight items and, at the end, the total number.
 * - `findings.json`: the findings fixed by the eight items with their issues and checks, and the true total.
 * Without a board there are no items, and without readable findings there is no report.
 */
import type { JobAccess, ReportFile } from '../../model/jobs.ts';
import { type BoardDocument, getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import type { Documents } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { tasksOf, visibleItems } from './action.ts';

type Deps = Pick<HttpDeps, 'reports'> & { readonly readModels: Documents };
type File = { readonly jobId: string; readonly content: string };

/** A file as far as its owner's access shows it. */
export async function shownContent(deps: Deps, access: JobAccess, file: File, name: ReportFile): Promise<string> {
  if (access === 'full' || name === 'executive-summary.md' || name === 'pages.csv') return file.content;
  const board = (await getBoard(deps.readModels, file.jobId))?.data ?? null;
  if (name === 'action-items.md') return previewItems(deps, board);
  const open = new Set(board ? visibleItems(board, 'preview').flatMap((item) => item.findingIds) : []);
  if (name === 'findings.json') return previewFindings(file.content, open);
  const findings = await getJobFile(deps.readModels, file.jobId, 'findings.json');
  return previewReport(deps, file, findings?.data.content ?? '', open);
}

/** `action-items.md` for a preview, generated from the items themselves. */
export function previewItems({ reports }: Pick<HttpDeps, 'reports'>, board: BoardDocument | null): string {
  const shown = board ? visibleItems(board, 'preview') : [];
  const total = tasksOf(board?.items ?? []).length;
  const tasks = tasksOf(shown).length;
  const text = reports.itemsFile(shown);
  return total > tasks ? `${text}\n---\n\n*This preview shows ${tasks} of ${total} action items.*\n` : text;
}

async function previewReport(
  { reports }: Deps,
  file: File,
  findings: string,
  open: ReadonlySet<unknown>,
): Promise<string> {
  const stored = parseFindings(findings);
  // If nothing is held back, nothing needs to be removed.
  if (stored.findings.length > 0 && stored.findings.every(({ id }) => open.has(id))) return file.content;
  const ids = new Set([...open].filter((id) => typeof id === 'string'));
  return (await reports.previewReport(findings, ids)) ?? 'This report cannot be shown in a preview.\n';
}

type Findings = {
  /** Undefined in files of earlier versions. */
  readonly issues?: readonly { readonly checkId?: unknown }[] | undefined;
  readonly findings: readonly { readonly id?: unknown; readonly checkId?: unknown }[];
  readonly checks: readonly { readonly id?: unknown }[];
};

function previewFindings(content: string, open: ReadonlySet<unknown>): string {
  const stored = parseFindings(content);
  const findings = stored.findings.filter(({ id }) => open.has(id));
  const checkIds = new Set(findings.map(({ checkId }) => checkId));
  const checks = stored.checks.filter(({ id }) => checkIds.has(id));
  const issues = stored.issues?.filter(({ checkId }) => checkIds.has(checkId));
  const preview = { findings_shown: findings.length, findings_total: stored.findings.length };
  return `${JSON.stringify({ ...stored, issues, findings, checks, preview }, null, 2)}\n`;
}

function parseFindings(content: string): Findings {
  const stored = parseRecord(content);
  const list = (value: unknown): readonly object[] =>
    Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
  const issues = stored.issues === undefined ? undefined : list(stored.issues);
  return { ...stored, issues, findings: list(stored.findings), checks: list(stored.checks) };
}

function parseRecord(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
