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
  risk: 'Some links on this page have no real URL in their href. Crawlers can only follow links with a URL, so they may not find what’s behind these.',
  steps: [
    'In the content or the template, give each link that this report lists the URL of the page it opens: `<a href="YOUR PAGE ADDRESS">YOUR LINK TEXT</a>`. A script can still handle the click.',
    'If the element opens a menu or does something else on the page, use a `<button>` instead.',
    'If the link leads nowhere, remove it.',
    'Reload the page and make sure each of these links is gone, is now a button, or opens the right page in a new tab when you right-click it.',
  ],
  // No code is written: where the link leads is known to a script alone.
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
