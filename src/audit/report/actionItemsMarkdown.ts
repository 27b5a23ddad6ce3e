/** The action items as a list to work off. */
import { readableAddress } from '../../model/readableAddress.ts';
import { count, plural } from '../checks/evidence.ts';
import { resultsWhen } from './groups.ts';
import { codeBlock, codeSpan, inlineMarkdown, oneLine, prose } from './markdown.ts';

export type ActionItemText = {
  readonly title: string;
  readonly category: string;
  readonly impact: string;
  readonly difficulty: string;
  /** Minutes. */
  readonly timeEstimate: number;
  readonly businessValue: string;
  readonly timeToResult: string;
  /** Why it stands where it stands. */
  readonly reason?: string;
  /** Inline markdown: code spans and escapes are understood, anything else is text. */
  readonly problem: string;
  readonly solution: string;
  readonly codeExample: string | null;
  readonly pages: readonly string[];
  /** Some of what was seen, and how much was seen in all. */
  readonly evidence?: readonly { readonly url: string; readonly place: string; readonly value: string }[];
  readonly findingIds?: readonly string[];
};

const SHOWN_PLACES = 10;
const MAX_EVIDENCE = 20;
const HOURS_A_DAY = 8;

export function actionItemsMarkdown(items: readonly ActionItemText[]): string {
  const minutes = items.reduce((sum, item) => sum + item.timeEstimate, 0);
  const order = items.length < 2 ? '' : ' Those that bring most for the time they take come first; each says why it stands where it does.';
  const head = [
    '# Action items',
    items.length === 0
      ? 'Nothing to do: no fault was found.'
      : `${plural(items.length, 'item')}, about ${duration(minutes)}${minutes > 60 * 2 * HOURS_A_DAY ? '' : ' of work'} in all.${order}`,
  ];
  return `${[...head, ...items.map(itemSection)].join('\n\n')}\n`;
}

function duration(minutes: number): string {
  if (minutes < 60) return plural(Math.max(1, Math.round(minutes)), 'minute');
  const halves = Math.round(minutes / 30) / 2;
  if (halves <= 2 * HOURS_A_DAY) return halves === 1 ? '1 hour' : `${halves} hours`;
  return plural(Math.round(minutes / 60 / HOURS_A_DAY), 'working day');
}

const CATEGORIES: Readonly<Record<string, string>> = { schema: 'structured data', social: 'social sharing', tools: 'tools and measurement' };

function factsLine(item: ActionItemText): string {
  const impact = oneLine(item.impact);
  const results = resultsWhen(item.timeToResult);
  return [
    `${impact.charAt(0).toUpperCase()}${impact.slice(1)} impact`,
    CATEGORIES[item.category] ?? oneLine(item.category),
    oneLine(item.difficulty),
    duration(item.timeEstimate),
    ...(results === null ? [] : [prose(results)]),
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
    item.businessValue === '' ? '' : `**What it brings:** ${prose(item.businessValue)}`,
    item.codeExample === null ? '' : codeBlock(item.codeExample),
    whereSection(item),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** Pages alone where a template repeats one fault, else each place with what was found there. One place alone is named in the problem already. */
function whereSection({ pages, evidence = [], findingIds = [] }: ActionItemText): string {
  const hasOneEvidence = new Set(evidence.map(({ place, value }) => `${place}\n${value}`)).size < 2;
  const lines = hasOneEvidence
    ? pages.slice(0, SHOWN_PLACES).map((page) => codeSpan(readableAddress(page)))
    : evidence.slice(0, SHOWN_PLACES).map(({ url, place, value }) => {
        const seen = value === '' ? '' : `: ${codeSpan(value, 120)}`;
        return `${codeSpan(readableAddress(url))}${place === '' ? '' : ` at ${codeSpan(place, 120)}`}${seen}`;
      });
  if (lines.length < 2) return '';
  // An item keeps so much evidence; only where that is full there may be more of it.
  const places = evidence.length < MAX_EVIDENCE ? evidence.length : Math.max(findingIds.length, evidence.length);
  const more = (hasOneEvidence ? pages.length : places) - lines.length;
  if (more > 0) lines.push(`and ${count(more)} more`);
  return `Where:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
