/** The action items as a list to work off. */
import { count } from '../checks/evidence.ts';
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
  /** Inline markdown: code spans and escapes are understood, anything else is text. */
  readonly problem: string;
  readonly solution: string;
  readonly codeExample: string | null;
  readonly pages: readonly string[];
};

const SHOWN_PAGES = 10;

export function actionItemsMarkdown(items: readonly ActionItemText[]): string {
  const minutes = items.reduce((sum, item) => sum + item.timeEstimate, 0);
  const head = [
    '# Action items',
    items.length === 0 ? 'Nothing to do: no fault was found.' : `${count(items.length)} items, about ${hours(minutes)} of work, the most valuable first.`,
  ];
  return `${[...head, ...items.map(itemSection)].join('\n\n')}\n`;
}

function hours(minutes: number): string {
  return minutes < 90 ? `${count(minutes)} minutes` : `${count(Math.round(minutes / 60))} hours`;
}

function itemSection(item: ActionItemText, index: number): string {
  const pages = item.pages.slice(0, SHOWN_PAGES).map((page) => `- ${codeSpan(page)}`);
  if (item.pages.length > SHOWN_PAGES) pages.push(`- and ${count(item.pages.length - SHOWN_PAGES)} more`);
  const lines = [
    `## ${index + 1}. ${prose(item.title)}`,
    `- [ ] Done`,
    `${oneLine(item.impact)} impact · ${oneLine(item.category)} · ${oneLine(item.difficulty)} · ${hours(item.timeEstimate)} · results in ${prose(item.timeToResult)}`,
    `**Problem:** ${inlineMarkdown(item.problem, 2000)}`,
    `**Solution:** ${inlineMarkdown(item.solution, 4000)}`,
    item.businessValue === '' ? '' : `**What it brings:** ${prose(item.businessValue)}`,
    item.codeExample === null ? '' : codeBlock(item.codeExample),
    pages.length === 0 ? '' : `Pages:\n\n${pages.join('\n')}`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}
