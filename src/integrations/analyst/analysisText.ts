/** The report's analysis section: what matters most and why, by category, quick wins. */
import { CATEGORY_NAMES, CATEGORY_ORDER, type Finding, IMPACTS } from '../../model/findings.ts';
import { bandOf, wholeScore } from '../../model/scores.ts';
import { count, durationText, listed } from '../../model/wording.ts';
import { followsText } from './actionItems.ts';
import type { AnalystInput } from './analyst.ts';
import { type AnalystIssue, isNote, isQuickWin, workOf } from './issues.ts';
import { code, prose, sentence } from './markdown.ts';
import { notJudgedText, partOf, shutText } from './wording.ts';

export const TOP = 5;
const QUICK = 8;
const EXAMPLES = 3;

/** `2 high and 3 low impact`. */
function perImpact(issues: readonly AnalystIssue[]): string {
  const parts = IMPACTS.flatMap((impact) => {
    const n = issues.filter((issue) => issue.impact === impact).length;
    return n > 0 ? [`${n} ${impact}`] : [];
  });
  return `${listed(parts)} impact`;
}

/** The state of the site in one paragraph. */
export function openingOf(input: AnalystInput, issues: readonly AnalystIssue[]): string {
  if (input.score === null && input.notJudged) return notJudgedText(input.notJudged);
  if (input.score === null) {
    return `No page of ${code(input.host)} could be read. Fix what is listed here, then run the audit again.`;
  }
  if (input.pagesAudited === 0) return shutText(input.score);
  const audited = input.pagesAudited === 1 ? 'one page' : count(input.pagesAudited, 'page');
  const part = partOf(input);
  const where = `${part === null ? '' : 'A part of '}${code(input.host)}${part === null ? '' : ` (${part})`} scores **${wholeScore(input.score)} of 100** (${bandOf(input.score)}) on the ${audited} audited.`;
  if (issues.length === 0) return `${where} No issues found.`;
  const faults = issues.filter((issue) => !issue.hint);
  const hints = issues.filter((issue) => issue.hint && !isNote(issue)).length;
  const suggestions =
    hints === 0 ? '' : ` ${count(hints, 'optional issue')} ${hints === 1 ? 'doesn’t' : 'don’t'} affect the score.`;
  if (faults.length === 0) return `${where} No issues lower the score.${suggestions}`;
  return `${where} ${count(input.findings.length, 'finding')}, ${count(faults.length, 'issue')} to fix (${perImpact(faults)}): ${workOf(faults)} of work.${suggestions}`;
}

function examples(findings: readonly Finding[]): string {
  const [first] = findings;
  if (
    first &&
    findings.length > 1 &&
    findings.every(({ evidence }) => evidence.place === first.evidence.place && evidence.value === first.evidence.value)
  )
    return `  - ${seenAt(first)}, and the same in ${count(findings.length - 1, 'more place')}`;
  const lines = findings.slice(0, EXAMPLES).map((finding) => `  - ${seenAt(finding)}`);
  const more = findings.length - EXAMPLES;
  return [...lines, ...(more > 0 ? [`  - and ${count(more, 'more place')}`] : [])].join('\n');
}

function seenAt({ evidence: { url, place, value } }: Finding): string {
  return `${code(url)}${place.trim() === '' ? '' : ` at ${code(place, 120)}`}${value.trim() === '' ? '' : `: ${code(value)}`}`;
}

/** One issue as a list entry: its impact, why it matters, where it was seen, and what to do. */
export function priority(issue: AnalystIssue, text?: string): string {
  const { check, impact, where, minutes } = issue;
  const facts = `${impact} impact ${where}, ${durationText(minutes)}${issue.hint ? ', optional' : ''}`;
  const message = issue.findings.length === 1 ? `${sentence(prose(issue.findings[0]?.message ?? ''))} ` : '';
  const lead = (text ?? `${message}${followsText([issue])}`).trim();
  const why =
    text === undefined ? [`  - **Risk:** ${sentence(check.risk)}`, `  - **Gain:** ${sentence(check.gain)}`] : [];
  const head = `- **${prose(issue.title, 160)}** (${facts}).${lead === '' ? '' : ` ${lead}`}`;
  return [head, ...why, examples(issue.findings)].join('\n');
}

/** The most important issues, which the analysis covers: what costs points, or suggestions where nothing does. */
export function topIssues(issues: readonly AnalystIssue[]): readonly AnalystIssue[] {
  const faults = issues.filter(({ hint }) => !hint);
  return (faults.length > 0 ? faults : issues.filter((issue) => !isNote(issue))).slice(0, TOP);
}

export function prioritiesSection(
  all: readonly AnalystIssue[],
  shown: readonly AnalystIssue[],
  text?: (issue: AnalystIssue) => string | undefined,
): string {
  if (shown.length === 0) return '';
  const more = all.filter((issue) => !isNote(issue) && !issue.hint && !shown.includes(issue)).length;
  const rest = more > 0 ? `\n\nSee the action items for ${count(more, 'more issue')} to fix.` : '';
  return `### What matters most\n\n${shown.map((issue) => priority(issue, text?.(issue))).join('\n')}${rest}`;
}

export function categoriesSection(issues: readonly AnalystIssue[]): string {
  const lines = CATEGORY_ORDER.map((category) => {
    const all = issues.filter((issue) => issue.category === category && !isNote(issue));
    const own = all.filter(({ hint }) => !hint);
    const [first] = own;
    if (!first && all.length > 0) return `- **${CATEGORY_NAMES[category]}**: ${count(all.length, 'optional issue')}.`;
    if (!first) return `- **${CATEGORY_NAMES[category]}**: no issues.`;
    if (own.length === 1)
      return `- **${CATEGORY_NAMES[category]}**: “${prose(first.title, 160)}” (${first.impact} impact), ${workOf(own)}.`;
    return `- **${CATEGORY_NAMES[category]}**: ${count(own.length, 'issue')} (${perImpact(own)}), ${workOf(own)}. Start with “${prose(first.title, 160)}”.`;
  });
  return `### By category\n\n${lines.join('\n')}`;
}

/** `above`: issues already presented. */
export function quickWinsSection(issues: readonly AnalystIssue[], above: readonly AnalystIssue[]): string {
  const quick = issues.filter((issue) => isQuickWin(issue) && !issue.hint && !above.includes(issue));
  if (quick.length === 0) return '';
  const shown = quick.slice(0, QUICK);
  const others = above.length > 0 ? 'more ' : '';
  const lead = `${count(quick.length, `${others}quick win`)}, ${workOf(quick)}${quick.length === 1 ? '' : ' in total'}:`;
  const lines = shown.map(
    (issue) => `- **${prose(issue.title, 160)}** (${durationText(issue.minutes)}): ${sentence(issue.check.gain)}`,
  );
  const more = quick.length - shown.length;
  return `### Quick wins\n\n${lead}\n\n${lines.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`;
}

/** Sections start at `###`, to fit below a `##` of the report. */
export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

export function analysisOf(input: AnalystInput, issues: readonly AnalystIssue[]): string {
  const top = topIssues(issues);
  return joinSections([
    openingOf(input, issues),
    prioritiesSection(issues, top),
    // Of a site that was not read, other categories say nothing.
    ...(issues.length > 0 && input.score !== null && input.pagesAudited > 0 ? [categoriesSection(issues)] : []),
    quickWinsSection(issues, top),
  ]);
}
