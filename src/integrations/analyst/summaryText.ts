/** The executive summary, for decision makers rather than for those who do the fixing. */
import { wholeScore } from '../../model/scores.ts';
import { count, listed, totalText } from '../../model/wording.ts';
import type { AnalystAction, AnalystInput } from './analyst.ts';
import { code, prose, sentence } from './markdown.ts';
import { notJudgedText, partOf, resultsIn, scoreInWords, shutText } from './wording.ts';

export const TOP_ACTIONS = 3;
const GOOD_NEWS = 5;

export function headingOf(input: AnalystInput): string {
  return `# Executive summary: ${prose(input.host, 120)}`;
}

/** What to fix first: the first tasks of the list, in its order. */
export function topActions(actions: readonly AnalystAction[]): readonly AnalystAction[] {
  return actions.filter(({ optional }) => !optional).slice(0, TOP_ACTIONS);
}

/** `The site`, or the part of it that was audited. */
function subjectOf(input: AnalystInput): string {
  const part = partOf(input);
  return part === null ? 'The site' : `This part of the site (${part})`;
}

/** The score in words, never written by a model. */
export function scoreOf(input: AnalystInput, actions: readonly AnalystAction[]): string {
  if (input.score === null && input.notJudged) return notJudgedText(input.notJudged);
  if (input.score === null) {
    return `We could not read a single page of ${code(input.host)}, so the site cannot be judged yet. As long as that is so, search engines may not be able to read it either.`;
  }
  if (input.pagesAudited === 0) return shutText(input.score);
  const { text } = scoreInWords(input.score);
  const faults = actions.filter(({ optional }) => !optional);
  const optional = actions.length - faults.length;
  const high = faults.filter((action) => action.impact === 'high').length;
  const urgent =
    high === 0 ? 'none of high impact' : high === faults.length ? 'of high impact' : `${high} of high impact`;
  const todo =
    faults.length === 0
      ? 'We found nothing that costs it points.'
      : `We found ${count(faults.length, 'issue')} to fix, ${urgent}.`;
  const suggestions =
    optional === 0 ? '' : ` ${count(optional, 'optional suggestion')} ${optional === 1 ? 'costs' : 'cost'} no points.`;
  const limits = (input.limits ?? [])
    .map(
      ({ cap, reason }) =>
        ` **${sentence(prose(reason))}** Until that is fixed, the score cannot be higher than ${cap}.`,
    )
    .join('');
  return `${subjectOf(input)} scores **${wholeScore(input.score)} of 100**: it is ${text}.${limits} ${actions.length === 0 ? 'We found nothing to fix.' : `${todo}${suggestions}`}`;
}

/** One of the top actions, as a numbered entry. */
export function point(action: AnalystAction, index: number, text?: string): string {
  const value =
    text ??
    (action.businessValue === ''
      ? 'Fixing it removes a problem that visitors and search engines run into.'
      : action.businessValue);
  const parts = [sentence(value), sentence(prose(action.reason)), resultsIn(action.timeToResult)].filter(
    (part) => part !== '',
  );
  return `${index + 1}. **${prose(action.title, 160)}.** ${parts.join(' ')}`;
}

export function pointsSection(
  top: readonly AnalystAction[],
  text?: (action: AnalystAction) => string | undefined,
): string {
  if (top.length === 0) return '';
  const title =
    top.length === 1 ? '## The one thing to do' : `## The ${top.length === 2 ? 'two' : 'three'} most important things`;
  return `${title}\n\n${top.map((action, index) => point(action, index, text?.(action))).join('\n')}`;
}

/** Totals of the tasks' estimates, which match the hours on the dashboard; optional items count in neither. */
export function timeSection(actions: readonly AnalystAction[]): string {
  const faults = actions.filter(({ optional }) => !optional);
  if (faults.length === 0) return '';
  const sum = (items: readonly AnalystAction[]) => items.reduce((minutes, action) => minutes + action.timeEstimate, 0);
  const high = faults.filter((action) => action.impact === 'high');
  const quick = faults.filter((action) => action.difficulty === 'easy' && action.timeEstimate <= 30);
  const parts = [
    `${faults.length === 1 ? 'It takes' : 'Everything together takes'} ${totalText(sum(faults))} of work.`,
  ];
  if (high.length > 0 && high.length < faults.length) parts.push(`High-impact items take ${totalText(sum(high))}.`);
  if (quick.length > 0 && quick.length < faults.length) {
    const each =
      quick.length === 1
        ? 'One is easy and takes half an hour or less'
        : `${quick.length} are easy and take half an hour or less each, ${totalText(sum(quick))} in all`;
    parts.push(`${each}: a good place to start.`);
  }
  parts.push(`${faults.length === 1 ? 'This is an estimate' : 'These are estimates'} for someone who knows the site.`);
  return `## Effort\n\n${parts.join(' ')}`;
}

/** Checks are named after what they find, so good news means that it was not found. */
export function goodNewsSection(input: AnalystInput): string {
  if (input.passed.length === 0) return '';
  const shown = input.passed.slice(0, GOOD_NEWS).map((title) => `“${prose(title, 120)}”`);
  const more = input.passed.length - shown.length;
  const list = listed([...shown, ...(more > 0 ? [`${more} more`] : [])]);
  return `## What is already good\n\n${count(input.passed.length, 'check')} passed on every page audited; none of these problems was found: ${list}.`;
}

export function limitsSection(input: AnalystInput): string {
  return input.coverage.trim() === ''
    ? ''
    : `## What this covers, and what not\n\n${sentence(prose(input.coverage, 1000))}`;
}

export function summaryOf(input: AnalystInput, actions: readonly AnalystAction[]): string {
  return joinSummary(input, actions, [pointsSection(topActions(actions))]);
}

/** The common frame of all summaries; only `middle` may come from elsewhere. */
export function joinSummary(input: AnalystInput, actions: readonly AnalystAction[], middle: readonly string[]): string {
  const sections = [
    headingOf(input),
    scoreOf(input, actions),
    ...middle,
    timeSection(actions),
    goodNewsSection(input),
    limitsSection(input),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
