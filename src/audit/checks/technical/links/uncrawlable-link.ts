import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const uncrawlableLink = pageCheck({
  id: 'uncrawlable-link',
  title: 'Links that crawlers can’t follow',
  category: 'technical',
  group: 'links',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Crawlers can reach every page these links lead to.',
  timeToResult: '2-4 weeks',
  risk: 'Crawlers only follow links with a real URL in href, so they may not find what’s behind these.',
  steps: [
    'Give each link the URL of its target in href. A script can still handle the click.',
    'If the element opens a menu or does something else on the page, use a button instead.',
    'Remove links that lead nowhere.',
  ],
  example: {
    before: '<a onclick="openPage()">YOUR LINK TEXT</a>',
    after: '<a href="YOUR PAGE ADDRESS">YOUR LINK TEXT</a>',
  },
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
