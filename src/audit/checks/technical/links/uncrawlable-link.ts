import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const uncrawlableLink = pageCheck({
  id: 'uncrawlable-link',
  title: 'Links crawlers cannot follow',
  category: 'technical',
  group: 'links',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'All sections of the site can be discovered.',
  timeToResult: '2-4 weeks',
  risk: 'Crawlers only follow real href addresses.',
  steps: ['Use a real address in href.'],
  example: { before: null, after: '<a href="/pricing">Pricing</a>' },
  tags: ['links', 'javascript'],
  source: 'Lighthouse: crawlable-anchors',
  lighthouse: 'crawlable-anchors',
  appliesTo: htmlPage,
  run: (page) =>
    page.facts.uncrawlableAnchors.map(({ href, text, selector, inert = false }) => ({
      evidence: seen(page, selector, href ?? 'no href'),
      // Most are left from anchors within the page, and lead nowhere for people either.
      ...(inert ? { impact: 'low' } : {}),
      message:
        href === null
          ? `The link "${text}" has no address.`
          : `The link "${text}" has the address "${href}", which crawlers cannot follow.`,
    })),
});
