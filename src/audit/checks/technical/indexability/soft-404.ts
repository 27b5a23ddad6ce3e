import { contentPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { NOT_FOUND } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const soft404 = pageCheck({
  id: 'soft-404',
  title: 'Page looks like an error but answers 200',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  businessValue: 'Crawl effort goes to real pages instead of dead ends.',
  timeToResult: '2-4 weeks',
  why: 'Search engines treat such pages as soft errors and waste crawl budget on them.',
  fix: 'Send a real 404 or 410 status, or redirect to the right page.',
  codeExample: 'HTTP/1.1 404 Not Found',
  tags: ['status', '404'],
  source:
    'Google Search Central: HTTP status codes and soft 404 (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: (page) => contentPage(page) && page.outcome.status === 200,
  run: (page) => {
    const { facts } = page;
    if (facts.wordCount >= THRESHOLDS.soft404Words) return [];
    const texts = [
      ...facts.titles.slice(0, 1).map(({ text }) => ({ text, place: 'head > title' })),
      ...facts.headings.filter(({ level }) => level === 1).map(({ text, selector }) => ({ text, place: selector })),
    ];
    const match = texts.find(({ text }) => NOT_FOUND.test(text));
    if (match === undefined) return [];
    return [
      {
        evidence: seen(page, match.place, match.text),
        message: `The page says "${match.text}" but answers with status 200.`,
      },
    ];
  },
});
