import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { header } from '../../lookups/siteIndex.ts';

export const xmlError = pageCheck({
  id: 'xml-error',
  title: 'Page is sent as XML and has an error',
  category: 'technical',
  group: 'html',
  impact: 'high',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Visitors and search engines get the whole page.',
  timeToResult: '1-2 weeks',
  risk: 'By the rules of XML, browsers stop at the first error and show a message in place of the rest.',
  steps: [
    'Find out where the Content-Type header of the page is set, in the server configuration or in the application.',
    'Send the page as text/html; charset=utf-8, which browsers read even if it has errors.',
    'If it has to stay XML, correct the error at the line in the finding and check the page with an XML parser before you publish it.',
  ],
  example: {
    before: 'Content-Type: application/xhtml+xml',
    after: 'Content-Type: text/html; charset=utf-8',
  },
  tags: ['html'],
  source: 'HTML standard: The XML syntax (https://html.spec.whatwg.org/multipage/xhtml.html)',
  appliesTo: (page) => htmlPage(page) && page.facts.xmlError !== undefined,
  run: (page) => {
    const error = page.facts.xmlError ?? null;
    if (error === null) return [];
    return [
      {
        evidence: seen(page, 'XML', error),
        message: `The page is sent as ${header(page.outcome, 'content-type') ?? 'XML'}, but it is not well-formed, ${error}; browsers show nothing of the rest.`,
      },
    ];
  },
});
