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
  risk: 'The page is sent as XML, and its markup has an error. By the rules of XML, browsers stop at the first error and show a message instead of the rest.',
  steps: [
    'Find the setting for the page’s `Content-Type` header in your web host’s control panel, the server’s configuration, or the application. If you can’t change any of these yourself, send these steps to your host’s support team.',
    'Set it to `Content-Type: text/html; charset=utf-8`, so that browsers show the page even if the markup has errors.',
    'If it has to stay XML, correct the error at the line that this report names.',
    'Open the page in your browser and make sure it shows to the end, without an error message.',
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
