/** The action items as a markdown file: counts, a section per status, a legend. */

import { durationText } from '../../../src/model/wording.ts';
import { categoryName } from '../../ui/text/categoryName.ts';
import { titleCase } from '../../ui/text/wording.ts';
import { forExport } from './board/sorting.ts';
import { type ActionItem, type ActionStatus, resultsText } from './item/actionItem.ts';
import { hoursText, statsOf } from './progress.ts';

const SECTIONS: readonly (readonly [ActionStatus, string, string])[] = [
  ['todo', 'Not Started', '⬜'],
  ['in-progress', 'In Progress', '🔄'],
  ['completed', 'Completed', '✅'],
];
const IMPACT_MARKS: Readonly<Record<string, string>> = { high: '🔴', medium: '🟡', low: '🟢' };

/** `date`: YYYY-MM-DD. */
export function exportName(domain: string, date: string): string {
  return `seo-actions-${domain || 'site'}-${date}.md`;
}

export function exportMarkdown(items: readonly ActionItem[], domain: string, date: string): string {
  const tasks = items.filter(({ optional }) => !optional);
  const suggested = items.filter(({ optional }) => optional);
  const sorted = forExport(tasks);
  const stats = statsOf(items);
  const of = (status: ActionStatus): ActionItem[] => sorted.filter((item) => item.status === status);
  const parts = [
    `# SEO actions${domain ? ` for ${domain}` : ''}`,
    `Exported on ${date}`,
    '## Summary',
    list([
      `**Total actions:** ${stats.totalActions}`,
      ...SECTIONS.map(([status, name]) => `**${name}:** ${of(status).length}`),
      `**High impact done:** ${stats.highImpactCompleted} of ${tasks.filter((item) => item.impact === 'high').length}`,
      `**Progress:** ${stats.completionPercentage}%`,
      `**Time remaining:** ${hoursText(stats.estimatedTimeRemaining)}`,
    ]),
    ...SECTIONS.flatMap(([status, name, mark]) => [
      `## ${mark} ${name} (${of(status).length})`,
      ...(of(status).length > 0 ? of(status).map(entry) : ['None.']),
    ]),
    ...(suggested.length === 0 ? [] : [`## Optional (${suggested.length})`, ...forExport(suggested).map(entry)]),
    '## Legend',
    list([
      ...SECTIONS.map(([, name, mark]) => `${mark} ${name}`),
      ...Object.entries(IMPACT_MARKS).map(([impact, mark]) => `${mark} ${titleCase(impact)} impact`),
      'Time is the estimated effort per action. Results is when a change usually shows in search.',
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function entry(item: ActionItem, index: number): string {
  const facts = [
    !item.optional && item.impact && `**Impact:** ${titleCase(item.impact)}`,
    item.category && `**Category:** ${categoryName(item.category)}`,
    item.minutes > 0 && `**Time:** ${durationText(item.minutes)}`,
    item.difficulty && `**Difficulty:** ${titleCase(item.difficulty)}`,
    `**Results:** ${resultsText(item.results)}`,
    item.businessValue && `**Business value:** ${safe(item.businessValue)}`,
    item.tags.length > 0 && `**Tags:** ${item.tags.map(safe).join(', ')}`,
    item.startedAt && `**Started:** ${item.startedAt.slice(0, 10)}`,
    item.completedAt && `**Completed:** ${item.completedAt.slice(0, 10)}`,
    item.rating !== null && `**Effectiveness:** ${item.rating} of 5`,
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '');
  return [
    `### ${index + 1}. ${(item.optional ? null : IMPACT_MARKS[item.impact]) ?? '⚪'} ${safe(item.title)}`,
    list(facts),
    item.problem && `**Problem:** ${safe(item.problem)}`,
    item.solution && `**Solution:** ${safe(item.solution)}`,
    item.code && `**Implementation:**\n\n${fenced(item.code)}`,
    item.notes && `**Notes:** ${safe(item.notes)}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** Untrusted text from audited pages: flattened to one paragraph, with all markup outside `code` escaped. */
function safe(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\<[\]*`]/g, '\\$&')))
    .join('');
}

/** A fence longer than any in the code. */
export function fenced(code: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code.replace(/\n$/, '')}\n${fence}`;
}
