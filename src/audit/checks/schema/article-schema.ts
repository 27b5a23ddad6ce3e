import { isArticle, isComplete } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { cut, headingOf } from '../lookups/siteCode.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { describedNodes } from '../schemaOrg/schemaFaults.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { isTypeReadable } from '../schemaOrg/schemaNodes.ts';

export const articleSchema = pageCheck({
  id: 'article-schema',
  title: 'Article markup is missing or incomplete',
  category: 'schema',
  group: 'article',
  impact: 'high',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Search engines can show the right headline, image, and date, and AI assistants can name the author.',
  timeToResult: '2-6 weeks',
  risk: 'The article’s structured data is missing or incomplete, so search engines and AI assistants have to guess who wrote it and when it was published.',
  steps: [
    'If an SEO plugin or your theme writes Article markup, fill in the properties that this report lists for the page in its settings.',
    'If there’s no such markup, add Article JSON-LD (or NewsArticle or BlogPosting) to the `<head>` of the article template, in a script of the type `application/ld+json`.',
    'Fill in `headline`, `image`, `datePublished`, `dateModified`, and an `author` with a `name`, from the same fields that the page shows, so that the two never differ.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure it lists the article with these properties and reports no errors.',
  ],
  // No code is written: a date or a name on the page need not be those of the article.
  example: schemaExample({
    '@type': 'Article',
    headline: 'YOUR HEADLINE',
    image: ['YOUR IMAGE ADDRESS'],
    datePublished: 'YOUR PUBLICATION DATE',
    dateModified: 'YOUR DATE OF LAST CHANGE',
    author: { '@type': 'Person', name: 'YOUR AUTHOR NAME', url: 'YOUR AUTHOR PAGE ADDRESS' },
  }),
  tags: ['schema', 'article', 'ai'],
  source:
    'Google Search Central: Article structured data (https://developers.google.com/search/docs/appearance/structured-data/article)',
  appliesTo: isArticle,
  gathered: (page) => isComplete(page) && isTypeReadable(page.facts, 'Article'),
  run: (page) => {
    const [found] = describedNodes(page, 'Article');
    if (found === undefined)
      return [
        {
          evidence: seen(page, 'html', 'no Article'),
          message: `The article "${cut(headingOf(page), 80)}" is not marked up as one.`,
        },
      ];
    const { recommended: lacks } = lacksOf(found.node, 'Article', page.facts);
    if (lacks.length === 0) return [];
    return [
      {
        evidence: seen(page, found.selector, `missing: ${lacks.join(', ')}`),
        message: `The markup of this article lacks ${lacks.join(', ')}.`,
        impact: 'medium',
      },
    ];
  },
});
