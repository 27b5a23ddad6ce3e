import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { isOnePlace, withoutDirectives } from '../../lookups/directiveCode.ts';
import { directivePlace } from '../../lookups/directives.ts';

export const nosnippet = pageCheck({
  id: 'nosnippet',
  title: 'Page forbids text snippets',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Search results and AI answers can quote your page.',
  timeToResult: '1-2 weeks',
  risk: 'The page forbids search engines to quote its text. Search results show it without any text from it, and Google’s AI Overviews can’t quote it.',
  steps: [
    'If search engines shouldn’t quote the page, leave it as it is.',
    'If this report shows a robots meta tag, remove `nosnippet` or `max-snippet:0` from it in your SEO plugin’s settings or in the template.',
    'If this report shows an `X-Robots-Tag` header, remove it there in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'If you want to hide only certain passages, put the attribute `data-nosnippet` on a `<span>`, `<div>`, or `<section>` around them.',
    'Make sure neither `nosnippet` nor `max-snippet:0` appears in the robots meta tag or in the response headers (`data-nosnippet` on an element is fine). For the headers, open the Network tab in your browser’s developer tools, reload the page, and click its entry.',
  ],
  example: {
    before: '<meta name="robots" content="nosnippet">',
    after: '<meta name="robots" content="max-snippet:-1, max-image-preview:large">',
  },
  tags: ['snippet', 'ai'],
  source:
    'Google Search Central: AI features and your website (https://developers.google.com/search/docs/appearance/ai-features)',
  appliesTo: isIndexable,
  run: (page) => {
    const place = directivePlace(page, hidesText);
    if (place === null) return [];
    return [
      {
        evidence: place.evidence,
        message: `"${place.evidence.value}" forbids every text snippet of this page.`,
        snippet: isOnePlace(page) ? withoutDirectives(place, hidesText) : null,
      },
    ];
  },
});

const hidesText = (directive: string): boolean => directive === 'nosnippet' || /^max-snippet:\s*0$/.test(directive);
