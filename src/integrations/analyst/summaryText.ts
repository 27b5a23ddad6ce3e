/** The executive summary: for the person who decides, not for the one who mends. */
import type { AnalystAction, AnalystInput } from './analyst.ts';
import { code, prose, sentence } from './markdown.ts';
import { count, duration, listed, scoreInWords } from './wording.ts';

export const TOP_ACTIONS = 3;
const GOOD_NEWS = 5;

export function headingOf(input: AnalystInput): string {
  return `# Executive summary: ${prose(input.host, 120)}`;
}

/** The score in words: never left to a model. */
export function scoreOf(input: AnalystInput, actions: readonly AnalystAction[]): string {
  if (input.pagesAudited === 0) {
    return `We could not read a single page of ${code(input.host)}, so the site cannot be judged yet. As long as that is so, search engines may not be able to read it either.`;
  }
  const { text } = scoreInWords(input.score);
  const high = actions.filter((action) => action.impact === 'high').length;
  const todo =
    actions.length === 0
      ? 'We found nothing to mend.'
      : `We found ${count(actions.length, 'thing')} to mend, ${high === 0 ? 'none of them urgent' : `${high === actions.length ? 'all' : high} of high impact`}.`;
  return `The site scores **${Math.round(input.score)} of 100**: it is ${text}. ${todo}`;
}

/** One of the most important things, as a numbered entry. */
export function point(action: AnalystAction, index: number, text?: string): string {
  const reach = `${action.impact} impact, ${duration(action.timeEstimate)}`;
  const result = action.timeToResult === '' || action.timeToResult === 'unknown' ? '' : ` First results after ${action.timeToResult}.`;
  const value = text ?? (action.businessValue === '' ? 'Mending it removes a fault that visitors and search engines meet.' : action.businessValue);
  return `${index + 1}. **${prose(action.title, 160)}** (${reach}). ${sentence(value)}${result}`;
}

function pointsSection(actions: readonly AnalystAction[]): string {
  if (actions.length === 0) return '';
  const top = actions.slice(0, TOP_ACTIONS);
  const title = top.length === 1 ? '## The one thing to do' : `## The ${top.length === 2 ? 'two' : 'three'} most important things`;
  return `${title}\n\n${top.map((action, index) => point(action, index)).join('\n')}`;
}

/** What it costs in time: sums of the items' estimates. */
export function timeSection(actions: readonly AnalystAction[]): string {
  if (actions.length === 0) return '';
  const sum = (items: readonly AnalystAction[]) => items.reduce((minutes, action) => minutes + action.timeEstimate, 0);
  const high = actions.filter((action) => action.impact === 'high');
  const quick = actions.filter((action) => action.difficulty === 'easy' && action.timeEstimate <= 30);
  const parts = [`Everything together takes ${duration(sum(actions))} of work.`];
  if (high.length > 0 && high.length < actions.length) parts.push(`What is of high impact takes ${duration(sum(high))} of it.`);
  if (quick.length > 0 && quick.length < actions.length) {
    parts.push(
      `${count(quick.length, 'item')} ${quick.length === 1 ? 'is' : 'are'} easy and done within half an hour each, ${duration(sum(quick))} in all: a good place to begin.`,
    );
  }
  parts.push('These are estimates for someone who knows the site.');
  return `## What it costs in time\n\n${parts.join(' ')}`;
}

/** Checks are named after their faults, so good news is a fault that was looked for and not found. */
export function goodNewsSection(input: AnalystInput): string {
  if (input.passed.length === 0) return '';
  const shown = input.passed.slice(0, GOOD_NEWS).map((title) => `“${prose(title, 120)}”`);
  const more = input.passed.length - shown.length;
  const list = listed([...shown, ...(more > 0 ? [`${more} more`] : [])]);
  return `## What is already good\n\n${count(input.passed.length, 'check')} passed everywhere we looked. We found no trace of these faults: ${list}.`;
}

export function limitsSection(input: AnalystInput): string {
  return input.coverage.trim() === '' ? '' : `## What this covers, and what not\n\n${sentence(prose(input.coverage, 1000))}`;
}

export function summaryOf(input: AnalystInput, actions: readonly AnalystAction[]): string {
  const sections = [headingOf(input), scoreOf(input, actions), pointsSection(actions), timeSection(actions), goodNewsSection(input), limitsSection(input)];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
