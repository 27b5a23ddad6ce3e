import { contentPage, isComplete, isListing, titled } from '../../applies.ts';
import type { Fault, HtmlPage, PageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { titleOf } from '../../lookups/siteCode.ts';
import { meaningfulWords } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const keywordStuffing: PageCheck = {
  id: 'keyword-stuffing',
  scope: 'page',
  title: 'One phrase is repeated unnaturally',
  category: 'content',
  group: 'content-quality',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 45,
  businessValue: 'Natural text is rated and cited better.',
  timeToResult: '4-8 weeks',
  why: 'Stuffing is spam for search and lowers AI visibility.',
  fix: 'Rewrite with natural wording and synonyms.',
  codeExample: null,
  tags: ['content', 'spam'],
  source:
    'Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024 (https://arxiv.org/abs/2311.09735); Google Search Central: Spam policies (https://developers.google.com/search/docs/essentials/spam-policies)',
  lighthouse: null,
  hint: false,
  appliesTo: (page) => contentPage(page) && (titled(page) || page.facts.wordCount >= THRESHOLDS.stuffingWords),
  gathered: isComplete,
  run: (page) => [...inText(page), ...inTitle(page)],
};

function inText(page: HtmlPage): readonly Fault[] {
  const { repeated } = page.facts;
  // A listing repeats the same word next to each link.
  if (repeated === null || repeated.share <= THRESHOLDS.stuffingShare || isListing(page.facts)) return [];
  return [
    {
      evidence: seen(page, 'main', repeated.phrase),
      message: `"${repeated.phrase}" appears ${repeated.count} times in the text, ${Math.round(1000 * repeated.share) / 10} times per hundred words.`,
    },
  ];
}

function inTitle(page: HtmlPage): readonly Fault[] {
  if (!titled(page)) return [];
  const counts = new Map<string, number>();
  for (const word of meaningfulWords(subjectOf(titleOf(page)))) if (word.length > 1) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [worst] = [...counts].filter(([, count]) => count >= THRESHOLDS.stuffingTitle).sort((a, b) => b[1] - a[1]);
  return worst === undefined ? [] : [{ evidence: seen(page, 'head > title', titleOf(page)), message: `The title says "${worst[0]}" ${worst[1]} times.` }];
}

/** The title without the site name at its end. */
function subjectOf(title: string): string {
  const parts = title.split(/(?<!\s)\s+[|–—·-]\s+/);
  return parts.length > 1 ? parts.slice(0, -1).join(' ') : title;
}
