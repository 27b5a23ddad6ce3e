import { excerpt } from '../../../excerpt.ts';
import type { PageFacts } from '../../../facts/pageFacts.ts';
import { hrefOf, srcOf } from '../../../facts/reading.ts';
import { BLANK_ADDRESS, BLANK_FILE, BLANK_VALUE, VISIBLE_BLANK } from '../../../facts/text/blanks.ts';
import { htmlPage } from '../../applies.ts';
import { type Fault, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace, linkPlace } from '../../lookups/places.ts';
import { cut } from '../../lookups/siteCode.ts';
import { PLACEHOLDER } from '../../phrases.ts';

export const placeholderText = pageCheck({
  id: 'placeholder-text',
  title: 'Placeholder text is live',
  category: 'content',
  group: 'content-quality',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The page looks finished, and search engines index only text you meant to publish.',
  timeToResult: 'immediate',
  risk: 'The page shows text that was never meant for visitors, like “lorem ipsum” or a template variable without a value, so it looks unfinished.',
  steps: [
    'Search the page’s text, its title and description, and its template for the leftover that this report lists, such as `lorem ipsum`, `TODO:`, or `undefined`. If the page is about placeholder text, leave it.',
    'If it’s filler text, replace it with the real text, or remove the block until you have one.',
    'If it’s a template variable without a value, fill in the field it takes its text from, such as the product’s name in your CMS. In the template, print the element only if that field has a value.',
    'Reload the page and make sure the leftover no longer appears in the page’s visible text or in its title and description.',
  ],
  example: { before: '<h2>Lorem ipsum</h2>', after: '<h2>YOUR PAGE SUBJECT</h2>' },
  tags: ['content'],
  source:
    'Screaming Frog SEO Spider issue library: Content: Lorem ipsum placeholder (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: htmlPage,
  run: (page) => {
    const faults: Fault[] = [];
    const texts = [
      ...page.facts.titles.map(({ text }) => ({ text, place: 'head > title' })),
      ...page.facts.headings.map(({ text, selector }) => ({ text, place: selector })),
    ];
    for (const { text, place } of texts) {
      const found = PLACEHOLDER.exec(text)?.[0] ?? VISIBLE_BLANK.exec(text)?.[0] ?? missingValue(text);
      if (found !== undefined)
        faults.push({
          evidence: seen(page, place, text),
          message: `"${found}" was left in the text "${cut(text, 80)}".`,
        });
    }
    const { filler } = page.facts;
    const blank = faults.length === 0 ? blankIn(page.facts) : null;
    if (blank !== null)
      faults.push({
        evidence: seen(page, blank.place, excerpt(blank.text, 120)),
        message: `An example was published as it is, with "${blank.found}" left open.`,
      });
    if (faults.length === 0 && filler !== null) {
      faults.push({
        evidence: seen(page, 'main', filler.around),
        message: `Template text was left in: "${filler.found}".`,
      });
    }
    return faults;
  },
});

type Value = readonly [text: string, blank: RegExp, place: () => string];

/** The first value in which an example was left open. Capitals alone say nothing: a description may shout. */
function blankIn(facts: PageFacts): { readonly found: string; readonly text: string; readonly place: string } | null {
  const address = (text: string, place: () => string): Value => [text, BLANK_ADDRESS, place];
  const values: readonly Value[] = [
    ...facts.metas.map(({ name, content }): Value => [content, VISIBLE_BLANK, () => `meta[name="${name}"]`]),
    ...facts.properties.map(({ name, content }): Value => [content, VISIBLE_BLANK, () => `meta[property="${name}"]`]),
    ...facts.properties.map(({ name, content }) =>
      address(/^og:(?:image|url)/.test(name) ? content : '', () => `meta[property="${name}"]`),
    ),
    ...facts.canonicals.map(({ href }) => address(href, () => 'link[rel=canonical]')),
    ...facts.alternates.map(({ href }) => address(href, () => 'link[hreflang]')),
    ...facts.structuredData.map(({ raw, selector }): Value => [raw, BLANK_VALUE, () => selector]),
    ...facts.links.map((link) => address(hrefOf(link), () => linkPlace(link))),
    ...facts.uncrawlableAnchors.map(({ href, selector }) => address(href ?? '', () => selector)),
    ...facts.images.flatMap((image): Value[] => [
      address(srcOf(image), () => imagePlace(image)),
      address(image.width ?? '', () => imagePlace(image)),
      [image.alt ?? '', VISIBLE_BLANK, () => imagePlace(image)],
    ]),
    ...facts.resources.map(({ url, selector }): Value => [url, BLANK_FILE, () => selector]),
    ...facts.inlineScripts.map(({ text, selector }): Value => [text, VISIBLE_BLANK, () => selector]),
    address(facts.lang ?? '', () => 'html[lang]'),
    ...facts.dates.map((text) => address(text, () => 'time[datetime]')),
  ];
  for (const [text, blank, place] of values) {
    const match = blank.exec(text);
    if (match !== null) return { found: match[0].replaceAll('"', ''), text: text.slice(match.index), place: place() };
  }
  return null;
}

const MISSING = [
  /^(undefined|NaN)(?=[\s|–—:,]|$)/,
  /[|–—:,]\s{0,5}(undefined|NaN)(?=[\s|–—:,]|$)/,
  /\s(undefined|NaN)\s{0,5}(?=[|–—:,]|$)/,
];

/**
 * What a script shows for a value that is not there, where a value would stand: a sentence may well be about the word.
 */
function missingValue(text: string): string | undefined {
  if (text.includes('[object Object]')) return '[object Object]';
  return MISSING.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
}
