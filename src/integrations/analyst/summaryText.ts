/** The executive summary, for decision makers rather than for those who do the fixing. */
import { bandOf, ceilingText, wholeScore } from '../../model/scores.ts';
import { count, listed, totalText } from '../../model/wording.ts';
import type { AnalystAction, AnalystInput } from './analyst.ts';
import { code, prose, sentence } from './markdown.ts';
import { notJudgedText, partOf, resultsIn, shutText } from './wording.ts';

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
    return `We couldn’t read any page of ${code(input.host)}, so there is no score. Search engines may not be able to read it either.`;
  }
  if (input.pagesAudited === 0) return shutText(input.score);
  const faults = actions.filter(({ optional }) => !optional);
  const optional = actions.length - faults.length;
  const high = faults.filter((action) => action.impact === 'high').length;
  const urgent = high === 0 ? 'none' : high === faults.length ? 'all' : String(high);
  const todo =
    faults.length === 0
      ? 'There is nothing to fix.'
      : faults.length === 1
        ? `1 action item${high === 1 ? ', high impact' : ''}.`
        : `${count(faults.length, 'action item')}, ${urgent} of them high impact.`;
  const suggestions =
    optional === 0
      ? ''
      : ` ${faults.length === 0 ? count(optional, 'action item') : `${optional} more`} ${optional === 1 ? 'is' : 'are'} optional and ${optional === 1 ? 'doesn’t' : 'don’t'} affect the score.`;
  const limits = (input.limits ?? [])
    .map(({ cap, reason }) => ` **${sentence(prose(reason))}** ${ceilingText(cap)}`)
    .join('');
  return `${subjectOf(input)} scores **${wholeScore(input.score)} of 100** (${bandOf(input.score)}).${limits} ${todo}${suggestions}`;
}

/** One of the top actions, as a numbered entry. */
export function point(action: AnalystAction, index: number, text?: string): string {
  const value =
    text ??
    (action.businessValue === ''
      ? 'Visitors and search engines no longer run into this problem.'
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
  return `## Fix first\n\n${top.map((action, index) => point(action, index, text?.(action))).join('\n')}`;
}

/** Totals of the tasks' estimates, which match the hours on the dashboard; optional items count in neither. */
export function timeSection(actions: readonly AnalystAction[]): string {
  const faults = actions.filter(({ optional }) => !optional);
  if (faults.length === 0) return '';
  const sum = (items: readonly AnalystAction[]) => items.reduce((minutes, action) => minutes + action.timeEstimate, 0);
  const high = faults.filter((action) => action.impact === 'high');
  const quick = faults.filter((action) => action.difficulty === 'easy' && action.timeEstimate <= 30);
  const urgent =
    high.length > 0 && high.length < faults.length ? `, ${totalText(sum(high))} of it for high impact` : '';
  const parts = [`Estimated effort: ${totalText(sum(faults))} for someone who knows the site${urgent}.`];
  if (quick.length > 0 && quick.length < faults.length) {
    const fixes =
      quick.length === 1
        ? 'the quick fix (30 minutes or less)'
        : `the ${quick.length} quick fixes (30 minutes or less each, ${totalText(sum(quick))} in total)`;
    parts.push(`Start with ${fixes}.`);
  }
  return `## Effort\n\n${parts.join(' ')}`;
}

/** Checks are named after what they find, so good news is that it was not found. */
export function goodNewsSection(input: AnalystInput): string {
  if (input.passed.length === 0) return '';
  const shown = input.passed.slice(0, GOOD_NEWS).map((title) => `“${prose(title, 120)}”`);
  const lead = input.passed.length > shown.length ? 'For example, we didn’t find' : 'We didn’t find';
  return `## What’s already good\n\n${count(input.passed.length, 'check')} passed on every page audited. ${lead} ${listed(shown, 'or')}.`;
}

export function limitsSection(input: AnalystInput): string {
  return input.coverage.trim() === '' ? '' : `## Scope and limits\n\n${sentence(prose(input.coverage, 1000))}`;
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
