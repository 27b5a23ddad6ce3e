import { isArticle, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { cut, headingOf } from '../../lookups/siteCode.ts';
import { has, nodesOf } from '../../schemaOrg/schemaNodes.ts';

export const authorMissing = pageCheck({
  id: 'author-missing',
  title: 'Article names no author',
  category: 'content',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Readers see who stands behind the article, as Google’s guidance on helpful content asks.',
  timeToResult: '4-8 weeks',
  risk: 'The article doesn’t say who wrote it, so readers can’t tell why they should believe it. We flagged it because we found no byline, author tag, or author in the structured data, so look at the page first: an unusual byline may have been missed.',
  steps: [
    'If visitors already see a byline, keep it where it is. If not, show the author’s name below the headline: switch it on in your theme’s settings, type it in the editor, or have the article template print each article’s own author. A name typed into the template would sign all articles.',
    'Link the name to a profile page with a short bio and relevant experience, and create that page if there’s none: `<a rel="author" href="YOUR PROFILE ADDRESS">YOUR AUTHOR NAME</a>`.',
    'If the page has Article markup (JSON-LD), put the same name in its `author` property.',
    'Open the article and make sure that visitors see the author’s name and that it links to the profile.',
  ],
  // No code is written: only the owner knows who wrote it.
  example: { before: null, after: '<p>By <a rel="author" href="YOUR PROFILE ADDRESS">YOUR AUTHOR NAME</a></p>' },
  tags: ['ai', 'eeat'],
  source:
    'Google Search Central: Creating helpful content (https://developers.google.com/search/docs/fundamentals/creating-helpful-content)',
  appliesTo: isArticle,
  gathered: isComplete,
  run: (page) => {
    const { metas, links, text } = page.facts;
    const named =
      metas.some(({ name, content }) => name === 'author' && content.trim() !== '') ||
      links.some((link) => link.rel.includes('author')) ||
      page.facts.properties.some(({ name, content }) => name === 'article:author' && content.trim() !== '');
    if (
      named ||
      nodesOf(page.facts).some(({ node }) => has(node, 'author')) ||
      BYLINE.test(text.slice(0, 1500)) ||
      BYLINE.test(text.slice(-800))
    )
      return [];
    return [
      {
        evidence: seen(page, 'article', 'no author'),
        message: `The article "${cut(headingOf(page), 80)}" names no author.`,
      },
    ];
  },
});

const BYLINE =
  /\b(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Ww]ritten by)\s+\p{Lu}[\p{L}.'’-]{1,30}\s+\p{Lu}[\p{L}.'’-]{1,30}/u;
