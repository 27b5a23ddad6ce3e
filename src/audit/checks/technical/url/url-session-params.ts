import { hrefOf } from '../../../facts/reading.ts';
import { hasLinks } from '../../applies.ts';
import type { PageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const urlSessionParams: PageCheck = {
  id: 'url-session-params',
  scope: 'page',
  title: 'Internal links carry tracking or session parameters',
  category: 'technical',
  group: 'url',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  businessValue: 'Clean analytics and no duplicate crawling.',
  timeToResult: '2-4 weeks',
  why: 'Each parameter makes a new URL and overwrites the true traffic source.',
  fix: 'Link to clean addresses inside the site.',
  codeExample: null,
  tags: ['url', 'analytics'],
  source: 'Screaming Frog SEO Spider issue library: URL: GA tracking parameters (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  lighthouse: null,
  hint: false,
  appliesTo: hasLinks,
  run: (page) =>
    page.facts.links.flatMap((link) => {
      if (!link.internal || link.url === null || !link.url.includes('?')) return [];
      const names = [...new URL(link.url).searchParams.keys()].filter((name) => TRACKING.test(name));
      if (names.length === 0) return [];
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link to ${pathOf(link.url)} carries ${names.join(', ')}.`,
          code: `<a href="${html(pathOf(link.url))}">${html(link.text)}</a>`,
        },
      ];
    }),
};

const TRACKING = /^(?:utm_\w{1,30}|gclid|fbclid|sid|session_?id|phpsessid|jsessionid)$/i;
