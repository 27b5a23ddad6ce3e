/**
 * Whatever a page writes into its attributes, however long: what is kept of it is bounded, since checks on the main
 * thread walk all of it.
 */
import { expect, it } from 'vitest';
import type { PageFacts } from '../../../src/audit/facts/pageFacts.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';

const SIZE = 300_000;
/** A block of structured data is kept as written, up to 20,000 characters. */
const LONGEST_TEXT = 20_000;
const LONGEST_LIST = 2_000;
const MOST_CHARACTERS = 150_000;

const FORMS: readonly (readonly [name: string, text: string])[] = [
  ['one word', 'x'.repeat(SIZE)],
  ['many words', Array.from({ length: SIZE / 6 }, (_, nth) => `w${nth}`).join(' ')],
  ['an address', `https://example.com/${'y'.repeat(SIZE)}`],
  [
    'an address with many parameters',
    `https://example.com/?${Array.from({ length: SIZE / 8 }, (_, nth) => `p${nth}=1`).join('&amp;')}`,
  ],
  ['a list with commas', Array.from({ length: SIZE / 8 }, (_, nth) => `a${nth}.png ${nth}w`).join(', ')],
];

const ELEMENTS: readonly string[] = [
  '<html lang="$" prefix="$" class="$" dir="$">',
  '<base href="$" target="$">',
  '<title>$</title>',
  '<link rel="$" href="$" hreflang="$" type="$" as="$" media="$" sizes="$">',
  '<link rel="canonical" href="$">',
  '<link rel="alternate" hreflang="$" href="$">',
  '<link rel="icon" href="$" sizes="$">',
  '<link rel="stylesheet" href="$">',
  '<meta name="$" content="$">',
  '<meta name="description" content="$">',
  '<meta name="robots" content="$">',
  '<meta property="$" content="$">',
  '<meta property="og:image" content="$">',
  '<meta http-equiv="refresh" content="$">',
  '<meta charset="$">',
  '<meta name="viewport" content="$">',
  '<a href="$" rel="$" title="$" aria-label="$" class="$" hreflang="$">$</a>',
  '<a>$</a>',
  '<area href="$" alt="$">',
  '<img src="$" srcset="$" alt="$" sizes="$" style="$">',
  '<picture><source srcset="$" type="$"><img src="a.png"></picture>',
  '<video src="$" poster="$"></video>',
  '<iframe src="$" title="$"></iframe>',
  '<script src="$" type="$"></script>',
  '<script type="application/ld+json">{"@type":"$","name":"$","$":1}</script>',
  '<style>$</style>',
  '<form action="$" method="$"></form>',
  '<div itemscope itemtype="$" itemprop="$" itemid="$"><span itemprop="$" content="$">$</span><time itemprop="t" datetime="$"></time></div>',
  '<div itemscope><data itemprop="v" value="$"></data><a itemprop="u" href="$"></a></div>',
  '<p typeof="$" property="$" resource="$" vocab="$">$</p>',
  '<h1 id="$">$</h1>',
  '<p lang="$" aria-labelledby="$" role="$">$</p>',
  '<button aria-label="$">$</button>',
  '<input name="$" placeholder="$" value="$">',
  '<svg><title>$</title></svg>',
];

function factsOf(html: string): PageFacts {
  return parsePage({
    url: 'https://example.com/',
    body: new TextEncoder().encode(`<!doctype html>${html}`),
    contentType: 'text/html; charset=utf-8',
  });
}

/** Everything in the facts, with where it stands; texts and lists alone. */
function* within(
  value: unknown,
  at = 'facts',
): Generator<{ readonly at: string; readonly text: number; readonly list: number }> {
  if (typeof value === 'string') yield { at, text: value.length, list: 0 };
  else if (value instanceof Map || value instanceof Set) yield* within([...value], at);
  else if (typeof value === 'object' && value !== null) {
    yield { at, text: 0, list: Object.keys(value).length };
    for (const [key, part] of Object.entries(value)) {
      yield { at: `${at}.*`, text: Array.isArray(value) ? 0 : key.length, list: 0 };
      yield* within(part, `${at}.${Array.isArray(value) ? '*' : key.slice(0, 40)}`);
    }
  }
}

/** The page's own text is what most checks read: it is bounded by the size of the page. */
const isPageText = (at: string): boolean =>
  /^facts\.(?:text|mainText|words|runs|textRuns|paragraphs|sentences)\b/.test(at);

it.each(FORMS)('an attribute that holds %s', (_, text) => {
  const wrong = new Set<string>();
  for (const element of ELEMENTS) {
    const facts = factsOf(element.replaceAll('$', () => text));
    let characters = 0;
    for (const { at, text: long, list } of within(facts)) {
      if (isPageText(at)) continue;
      characters += long;
      if (long > LONGEST_TEXT) wrong.add(`${element}: ${at} has a text of ${long}`);
      if (list > LONGEST_LIST) wrong.add(`${element}: ${at} has a list of ${list}`);
    }
    if (characters > MOST_CHARACTERS) wrong.add(`${element}: ${characters} characters are kept`);
  }
  expect([...wrong]).toEqual([]);
});

it('a short link beside a long base', () => {
  const { links } = factsOf(`<base href="/${'b'.repeat(SIZE)}/"><a href="a">A</a><img src="i.png">`);
  expect(links[0]?.url).toBe('https://example.com/a');
  expect(factsOf(`<base href="/${'b'.repeat(2_000)}/"><a href="${'c'.repeat(200)}">A</a>`).links[0]?.url).toBeNull();
});
