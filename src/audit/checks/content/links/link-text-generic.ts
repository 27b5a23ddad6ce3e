import { languageOf } from '../../../facts/reading.ts';
import { hasLinks } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { sameAddress } from '../../lookups/canonicals.ts';
import { linkPlace } from '../../lookups/places.ts';
import { EMPTY_LINK_TEXTS } from '../../phrases.ts';

export const linkTextGeneric = pageCheck({
  id: 'link-text-generic',
  title: 'Generic link text',
  category: 'content',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Tells search engines and readers what waits behind the link.',
  timeToResult: '2-4 weeks',
  risk: 'Generic words carry no topic.',
  steps: ['Name the target in the link.'],
  example: { before: null, after: '<a href="/plans">Compare our plans</a>' },
  tags: ['links', 'anchor'],
  source: 'Lighthouse: link-text',
  lighthouse: 'link-text',
  appliesTo: hasLinks,
  run: (page) =>
    page.facts.links.flatMap((link) => {
      if (
        !saysNothing(link.text, languageOf(link, page.facts)) ||
        link.rel.includes('nofollow') ||
        link.url === null ||
        sameAddress(link.url, page.outcome.url)
      )
        return [];
      return [
        {
          evidence: seen(page, linkPlace(link), link.text),
          message: `The text "${link.text}" does not say that the link leads to ${link.url}.`,
        },
      ];
    }),
});

function saysNothing(text: string, lang: string): boolean {
  const term = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[\s.…!:>›»→]{1,20}$/, '');
  if (lang !== '') return EMPTY_LINK_TEXTS[lang.split('-')[0] ?? '']?.has(term) ?? false;
  return Object.values(EMPTY_LINK_TEXTS).some((texts) => texts.has(term));
}
