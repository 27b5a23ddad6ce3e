/** Numbers, lists and scores in words. */
import { isPart, settingsText } from '../../model/crawlSettings.ts';
import { NOT_JUDGED, NOT_JUDGED_TEXTS, type NotJudgedReason, SHUT_TEXT, wholeScore } from '../../model/scores.ts';
import { durationText } from '../../model/wording.ts';
import type { AnalystInput } from './analyst.ts';
import { code } from './markdown.ts';

/** One piece of work as effort: `about 20 minutes of work`. */
export const about = (minutes: number): string => `about ${durationText(minutes)} of work`;

/** Time to results after a comma: the catalog's `1-3 weeks`, `immediate` or `unknown`. Empty if unknown. */
export function resultsIn(timeToResult: string): string {
  if (timeToResult === '' || timeToResult === 'unknown') return '';
  return timeToResult === 'immediate' ? 'Immediate results.' : `First results in ${timeToResult}.`;
}

/** The part of the site that was audited, as Markdown: `/blog/ only, 40 pages`; null for the whole site. */
export function partOf({ settings }: Pick<AnalystInput, 'settings'>): string | null {
  return settings && isPart(settings) ? settingsText(settings, (text) => code(text)) : null;
}

/** In place of a sentence about the score. */
export const notJudgedText = (reason: NotJudgedReason): string => `**${NOT_JUDGED}.** ${NOT_JUDGED_TEXTS[reason]}`;

/** About a site of which only robots.txt could be read. */
export const shutText = (score: number): string =>
  `The site scores **${wholeScore(score)} of 100**: search engines can’t read any of it. ${SHUT_TEXT}`;
