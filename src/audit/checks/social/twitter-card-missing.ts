import { indexableContent } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { metaOf, propertyOf } from '../lookups/siteCode.ts';
import { ownPicture } from '../lookups/siteFacts.ts';
import { metaSet } from '../lookups/snippets.ts';

export const twitterCardMissing = pageCheck({
  id: 'twitter-card-missing',
  title: 'No X (Twitter) card',
  category: 'social',
  group: 'twitter',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Links shared on X get a large preview.',
  timeToResult: 'immediate',
  risk: 'The page has no valid twitter:card tag, so links shared on X may appear without a large preview.',
  steps: [
    'If your SEO plugin has a setting for X (Twitter) cards, switch it on.',
    'If you edit the template, add `<meta name="twitter:card" content="summary_large_image">` to the page’s `<head>`, or correct the `twitter:card` tag that is there.',
    'If the page has no large picture, use `content="summary"` instead.',
    'X takes title, text, and picture from the page’s Open Graph tags. If the page has them, leave out the other `twitter:` tags. If it has none, add `og:title`, `og:description`, and `og:image` first.',
    'View the page source and make sure the `twitter:card` tag appears once, and that `og:title` and `og:image` are there.',
  ],
  example: { before: null, after: '<meta name="twitter:card" content="summary_large_image">' },
  tags: ['twitter'],
  source: 'X developer docs: Cards markup (https://developer.x.com/en/docs/twitter-for-websites/cards)',
  appliesTo: indexableContent,
  run: (page, site) => {
    const card = metaOf(page, 'twitter:card') ?? propertyOf(page, 'twitter:card');
    if (card !== null && ['summary', 'summary_large_image', 'app', 'player'].includes(card.toLowerCase())) return [];
    return [
      {
        evidence: seen(page, 'head > meta[name="twitter:card"]', card ?? 'missing'),
        message:
          card === null ? 'The page does not say which kind of card X shows for it.' : `"${card}" isn’t a card type.`,
        snippet: metaSet(
          page,
          'name',
          'twitter:card',
          ownPicture(page, site) === null ? 'summary' : 'summary_large_image',
        ),
      },
    ];
  },
});
