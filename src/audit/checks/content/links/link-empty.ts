import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { hasLinks } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { linkPlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';

export const linkEmpty = pageCheck({
  id: 'link-empty',
  title: 'Links without text',
  category: 'content',
  group: 'links',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Screen reader users and search engines know where each link leads.',
  timeToResult: '2-4 weeks',
  risk: 'Screen readers can only read out the address, and search engines get no hint of what the link leads to.',
  steps: [
    'Write a link text that names the target.',
    'If the link holds an image, name the target in the image’s alt text.',
    'If it holds only an icon, name the target in an aria-label attribute.',
    'If it’s an empty leftover, delete it.',
  ],
  example: {
    before: '<a href="YOUR LINK ADDRESS"><svg></svg></a>',
    after: '<a href="YOUR LINK ADDRESS" aria-label="YOUR LINK TARGET"><svg aria-hidden="true"></svg></a>',
  },
  tags: ['links', 'accessibility'],
  source: 'axe-core rule link-name (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'link-name',
  appliesTo: hasLinks,
  run: (page) =>
    page.facts.links.flatMap((link) => {
      if (link.silent === true || nameOf(link) !== '') return [];
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link to ${hrefOf(link) || '(empty)'} has no text, no image description and no label.`,
          code: `<a href="${html(hrefOf(link))}">Say where this leads</a>`,
        },
      ];
    }),
});
