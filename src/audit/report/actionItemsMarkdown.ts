/** The action items as a Markdown checklist. */
import { isMarkedOptional } from '../../model/actions.ts';
import { readableAddress } from '../../model/readableAddress.ts';
import { durationText, resultsText, totalText } from '../../model/wording.ts';
import { count, plural } from '../checks/evidence.ts';
import { codeBlock, codeSpan, inlineMarkdown, oneLine, prose } from './markdown.ts';

export type ActionItemText = {
  readonly title: string;
  readonly category: string;
  readonly impact: string;
  readonly optional?: boolean;
  readonly difficulty: string;
  /** Minutes. */
  readonly timeEstimate: number;
  readonly businessValue: string;
  readonly timeToResult: string;
  /** Why the item has its rank. */
  readonly reason?: string;
  /** Inline Markdown: only code spans and escapes are interpreted. */
  readonly problem: string;
  readonly solution: string;
  readonly codeExample: string | null;
  readonly pages: readonly string[];
  /** A sample of the evidence, and the ids of all findings. */
  readonly evidence?: readonly { readonly url: string; readonly place: string; readonly value: string }[];
  readonly findingIds?: readonly string[];
};

const SHOWN_PLACES = 10;
const MAX_EVIDENCE = 20;

export function actionItemsMarkdown(items: readonly ActionItemText[]): string {
  const tasks = items.filter((item) => !isMarkedOptional(item));
  const suggested = items.filter(isMarkedOptional);
  const minutes = tasks.reduce((sum, item) => sum + item.timeEstimate, 0);
  const order = tasks.length < 2 ? '' : ' Most effect for the effort first.';
  const parts = [
    '# Action items',
    tasks.length === 0
      ? 'Nothing to do.'
      : `${plural(tasks.length, 'item')}, ${totalText(minutes)} of work in total.${order}`,
    ...tasks.map(itemSection),
    ...(suggested.length === 0 ? [] : ['# Optional', 'Nothing here affects the score.', ...suggested.map(itemSection)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const CATEGORIES: Readonly<Record<string, string>> = {
  schema: 'structured data',
  social: 'social sharing',
  tools: 'tools',
};

function factsLine(item: ActionItemText): string {
  const impact = oneLine(item.impact);
  const results = resultsText(item.timeToResult);
  return [
    isMarkedOptional(item) ? 'Optional' : `${impact.charAt(0).toUpperCase()}${impact.slice(1)} impact`,
    CATEGORIES[item.category] ?? oneLine(item.category),
    oneLine(item.difficulty),
    durationText(item.timeEstimate),
    ...(results === '' ? [] : [prose(results)]),
  ].join(' · ');
}

function itemSection(item: ActionItemText, index: number): string {
  const lines = [
    `## ${index + 1}. ${prose(item.title)}`,
    `- [ ] Done`,
    factsLine(item),
    item.reason === undefined || item.reason === '' ? '' : `**Why here:** ${prose(item.reason)}`,
    `**Problem:** ${inlineMarkdown(item.problem, 2000)}`,
    `**Solution:** ${inlineMarkdown(item.solution, 4000)}`,
    item.businessValue === '' ? '' : `**Gain:** ${prose(item.businessValue)}`,
    item.codeExample === null ? '' : codeBlock(item.codeExample),
    whereSection(item),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/**
 * Lists only pages if the evidence is the same everywhere, else each place with its value. A single place is left out:
 * the problem already names it.
 */
function whereSection({ pages, evidence = [], findingIds = [] }: ActionItemText): string {
  const hasOneEvidence = new Set(evidence.map(({ place, value }) => `${place}\n${value}`)).size < 2;
  const lines = hasOneEvidence
    ? pages.slice(0, SHOWN_PLACES).map((page) => codeSpan(readableAddress(page)))
    : evidence.slice(0, SHOWN_PLACES).map(({ url, place, value }) => {
        const seen = value === '' ? '' : `: ${codeSpan(value, 120)}`;
        return `${codeSpan(readableAddress(url))}${place === '' ? '' : ` at ${codeSpan(place, 120)}`}${seen}`;
      });
  if (lines.length < 2) return '';
  // Evidence per item is capped, so only a full list can have more places.
  const places = evidence.length < MAX_EVIDENCE ? evidence.length : Math.max(findingIds.length, evidence.length);
  const more = (hasOneEvidence ? pages.length : places) - lines.length;
  if (more > 0) lines.push(`and ${count(more)} more`);
  return `Where:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
