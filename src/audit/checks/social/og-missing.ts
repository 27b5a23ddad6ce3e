import { indexableContent } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { metaOf, metaTag, propertyOf } from '../lookups/siteCode.ts';
import { ownDescription, ownOpening, ownPicture, ownSubject } from '../lookups/siteFacts.ts';
import { addedToHead } from '../lookups/snippets.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const ogMissing = pageCheck({
  id: 'og-missing',
  title: 'Open Graph tags are missing',
  category: 'social',
  group: 'open-graph',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Shared links show the title and picture you chose and invite more clicks.',
  timeToResult: 'immediate',
  risk: 'The page lacks basic Open Graph tags. If og:title is missing, a shared link can appear as a bare URL. If og:image is missing, social networks pick a picture themselves.',
  steps: [
    'If your theme or SEO plugin can write Open Graph tags, switch them on and fill in its title and image fields.',
    'If you edit a page’s HTML by hand, add `<meta property="og:title" content="YOUR PAGE TITLE">` and `<meta property="og:url" content="YOUR PAGE ADDRESS">` with the page’s canonical URL to its `<head>`. If a template writes the `<head>`, have it print each page’s own values. Don’t type one page’s title or URL into it, because all pages would be shared as that one.',
    'Also add `<meta property="og:type" content="website">`, or `content="article"` on articles.',
    'Finally add `<meta property="og:image" content="YOUR IMAGE ADDRESS">` with the full URL of a picture of 1200 by 630 pixels.',
    'View the source of this page and of another one. Make sure `og:title`, `og:type`, `og:url`, and `og:image` are all there, and that `og:title` and `og:url` are each page’s own.',
  ],
  example: {
    before: null,
    after:
      '<meta property="og:title" content="YOUR PAGE TITLE">\n<meta property="og:type" content="website">\n<meta property="og:url" content="YOUR PAGE ADDRESS">\n<meta property="og:image" content="YOUR IMAGE ADDRESS">',
  },
  tags: ['open-graph'],
  source: 'The Open Graph protocol (https://ogp.me/)',
  appliesTo: indexableContent,
  run: (page, site) => {
    const absent = ['og:title', 'og:type', 'og:image', 'og:url'].filter(
      (name) => propertyOf(page, name) === null && metaOf(page, name) === null,
    );
    if (absent.length === 0) return [];
    const values: Readonly<Record<string, string | null>> = {
      'og:title': ownSubject(page, site),
      'og:type': 'website',
      'og:image': ownPicture(page, site),
      'og:url': page.outcome.url,
      'og:description':
        ownDescription(page, site) ?? ownOpening(page, site, { min: 60, max: THRESHOLDS.descriptionMax }),
    };
    // Where there are other tags, its absence is a finding of its own.
    const description =
      propertyOf(page, 'og:description') === null && metaOf(page, 'og:description') === null ? ['og:description'] : [];
    const tags = [...absent, ...description].map((name) => [name, values[name] ?? null] as const);
    const isKnown = tags.every(([, value]) => value !== null);
    const message =
      absent.length === 4
        ? 'The page has no Open Graph tags, so shared links show whatever a service guesses.'
        : `Missing: ${absent.join(', ')}.`;
    return [
      {
        evidence: seen(page, 'head > meta[property]', `missing: ${absent.join(', ')}`),
        message,
        impact: absent.length === 4 ? 'medium' : 'low',
        snippet: isKnown
          ? addedToHead(tags.map(([name, value]) => metaTag('property', name, value ?? '')).join('\n'))
          : null,
      },
    ];
  },
});
