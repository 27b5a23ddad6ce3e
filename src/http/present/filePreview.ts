/**
 * What a preview shows of a job's files. The promise of a preview is the whole picture of the site (score, report, summary, pages) and the
 * first eight action items; what is kept back is the rest of the work plan. So:
 * - `seo-audit-report.md`, `executive-summary.md`, `pages.csv`: whole. They say what is wrong and where, which is what was promised.
 * - `action-items.md`: written anew from the first eight items, with a line at its end that says how many there are. It is not cut out of
 *   the stored text, so that no wording of that text can let more through.
 * - `findings.json`: only the findings that those eight items fix, with the true total beside them.
 * Without a board, or when the stored findings cannot be read, nothing of the two leaves.
 */
import type { BoardDocument, BoardItem } from '../../projections/boards.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import type { FILE_NAMES } from '../contract/jobs.ts';
import { visibleItems } from './action.ts';

export type FileName = (typeof FILE_NAMES)[number];

export function previewOf(name: FileName, content: string, board: StoredDocument<BoardDocument> | null): string {
  if (name === 'action-items.md') return actionItems(board?.data ?? null);
  if (name === 'findings.json') return findings(content, board?.data ?? null);
  return content;
}

function actionItems(board: BoardDocument | null): string {
  const shown = board ? visibleItems(board, 'preview') : [];
  const total = board?.items.length ?? 0;
  const rest = total - shown.length;
  const end = rest > 0 ? [`---\n\n*This preview shows the first ${shown.length} of ${total} action items.*\n`] : [];
  return [`# Action items\n`, ...shown.map(itemText), ...end].join('\n');
}

function itemText(item: BoardItem, index: number): string {
  const facts = [
    `Impact: ${item.impact}`,
    `Category: ${item.category}`,
    `Difficulty: ${item.difficulty}`,
    `Time: ${item.timeEstimate} minutes`,
    `Results: ${item.timeToResult}`,
  ];
  const parts = [`## ${index + 1}. ${item.title}`, facts.join(' · '), `**Problem.** ${item.problem}`, `**Solution.** ${item.solution}`];
  if (item.codeExample) parts.push(fenced(item.codeExample));
  if (item.pages.length > 0) parts.push(['**Pages**', '', ...item.pages.map((page) => `- ${inCode(page)}`)].join('\n'));
  return `${parts.join('\n\n')}\n`;
}

/** A fence longer than any run of backticks inside, so that the example cannot leave it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const inCode = (text: string): string => `\`${text.replaceAll('`', '%60')}\``;

function findings(content: string, board: BoardDocument | null): string {
  const shown = new Set(board ? visibleItems(board, 'preview').flatMap((item) => item.findingIds) : []);
  const stored = parse(content);
  const all = stored && Array.isArray(stored.findings) ? (stored.findings as readonly { readonly id?: unknown }[]) : [];
  const kept = all.filter((finding) => typeof finding?.id === 'string' && shown.has(finding.id));
  return `${JSON.stringify({ ...stored, findings: kept, preview: { findings_shown: kept.length, findings_total: all.length } }, null, 2)}\n`;
}

function parse(content: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
