import { isInContent } from '../../../facts/reading.ts';
import { isPartOfName } from '../../../facts/text/repetition.ts';
import { contentPage, isComplete, isListing, titled } from '../../applies.ts';
import { type Fault, type HtmlPage, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { titleOf, titleSubject } from '../../lookups/siteCode.ts';
import { meaningfulWords } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const keywordStuffing = pageCheck({
  id: 'keyword-stuffing',
  title: 'Possible keyword stuffing',
  category: 'content',
  group: 'content-quality',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 45,
  gain: 'The text reads naturally and gives search engines no reason to see spam.',
  timeToResult: '4-8 weeks',
  risk: 'The page’s text or title repeats the same words so often that it may read as if it was written for search engines, and Google treats keyword stuffing as spam. We only counted repetitions, and a name or technical term may be repeated for good reason.',
  steps: [
    'Read aloud the title or text with the words that this report lists, and mark each repetition that sounds forced. Keep those the subject needs, such as product names in a comparison. If none sounds forced, leave the page as it is.',
    'In the text, delete the forced repetitions, or use a pronoun or a natural synonym instead.',
    'In the title, name the subject once: `<title>YOUR PRODUCT | YOUR SITE NAME</title>`.',
    'Read both aloud once more and make sure no repetition sounds forced.',
  ],
  example: {
    before: '<title>YOUR PRODUCT, cheap YOUR PRODUCT, buy YOUR PRODUCT</title>',
    after: '<title>YOUR PRODUCT | YOUR SITE NAME</title>',
  },
  tags: ['content', 'spam'],
  source:
    'Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024 (https://arxiv.org/abs/2311.09735); Google Search Central: Spam policies (https://developers.google.com/search/docs/essentials/spam-policies)',
  appliesTo: (page) => contentPage(page) && (titled(page) || page.facts.wordCount >= THRESHOLDS.stuffingWords),
  gathered: isComplete,
  run: (page) => [...inText(page), ...inTitle(page)],
});

function inText(page: HtmlPage): readonly Fault[] {
  const { repeated, links } = page.facts;
  if (repeated === null) return [];
  // Links, and the cards around them, name what they lead to.
  const linked = links.filter((link) => isInContent(link) && link.text.toLowerCase().includes(repeated.phrase)).length;
  const share = (repeated.share * Math.max(0, repeated.count - 2 * linked)) / repeated.count;
  if (share <= THRESHOLDS.stuffingShare || isListing(page.facts)) return [];
  return [
    {
      hint: repeated.isName === true,
      evidence: seen(page, 'main', repeated.phrase),
      message: `"${repeated.phrase}" appears ${repeated.count} times in the text, ${Math.round(1000 * repeated.share) / 10} times per hundred words.`,
    },
  ];
}

function inTitle(page: HtmlPage): readonly Fault[] {
  if (!titled(page)) return [];
  const counts = new Map<string, number>();
  const subject = titleSubject(page);
  for (const word of meaningfulWords(subject)) if (word.length > 1) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [worst] = [...counts].filter(([, count]) => count >= THRESHOLDS.stuffingTitle).sort((a, b) => b[1] - a[1]);
  if (worst === undefined) return [];
  const [word, count] = worst;
  return [
    {
      evidence: seen(page, 'head > title', titleOf(page)),
      message: `The title says "${word}" ${count} times.`,
      hint: isPartOfName(word, subject),
    },
  ];
}
