import { parseUrl } from '../../../model/parseUrl.ts';
import { excerpt } from '../../excerpt.ts';
import { hasStartPage, htmlPage, isStartPageComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { jsonLd } from '../lookups/siteCode.ts';
import { siteName } from '../lookups/siteFacts.ts';
import { addressKey, siteIndex } from '../lookups/siteIndex.ts';
import { addedToHead } from '../lookups/snippets.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { gatheringNodes, has, isTypeReadable, textOf } from '../schemaOrg/schemaNodes.ts';

export const websiteSchema = siteCheck({
  id: 'website-schema',
  title: 'Site name is not declared',
  category: 'schema',
  group: 'organization',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Search results can show the site name that you chose.',
  timeToResult: '2-6 weeks',
  risk: 'The home page doesn’t declare the site’s name and URL in its structured data, so Google picks a name from the title, the headings, or the domain, and it may not be the one you use.',
  steps: [
    'If you have an SEO plugin, enter the site name in its settings. It writes the markup for you.',
    'If you edit the template, add WebSite JSON-LD with `name` and `url` to the home page, in a script of the type `application/ld+json`.',
    'Use the short name people know you by, and use the same name in the `<title>` and in `og:site_name`.',
    'Set `url` to exactly the URL of the home page.',
    'Test the home page in the Schema Markup Validator (validator.schema.org) and make sure it lists a WebSite with your name and URL and reports no errors.',
  ],
  example: schemaExample({ '@type': 'WebSite', name: 'YOUR SITE NAME', url: 'YOUR HOME PAGE ADDRESS' }),
  tags: ['schema'],
  source: 'Google Search Central: Site names (https://developers.google.com/search/docs/appearance/site-names)',
  looksIn: ['JSON-LD', 'nodes in a @graph', 'microdata'],
  appliesTo: hasStartPage,
  gathered: (site) => isStartPageComplete(site) && isTypeReadable(siteIndex(site).start?.facts, 'WebSite'),
  run: function* (site) {
    const { start } = siteIndex(site);
    if (start === null || !htmlPage(start)) return [];
    const nodes = yield* gatheringNodes(start.facts, 'WebSite');
    const home = [start.outcome.url, `${site.discovery.origin}/`].map(addressKey);
    const isHome = (written: string | null): boolean => {
      const url = parseUrl(written ?? '', start.outcome.url);
      return url !== null && home.includes(addressKey(url.href));
    };
    for (const [nth, { node }] of nodes.entries()) {
      if (nth % NODES_AT_ONCE === NODES_AT_ONCE - 1) yield;
      if (has(node, 'name') && isHome(textOf(node, 'url'))) return [];
    }
    const [first] = nodes;
    const name = siteName(site);
    const message =
      first === undefined
        ? 'The home page has no WebSite node that tells search engines the name of the site.'
        : `The WebSite node has the name "${textOf(first.node, 'name') ?? ''}" and the address "${textOf(first.node, 'url') ?? ''}"; it needs a name and the address of the home page.`;
    return [
      {
        evidence: seen(
          start,
          first?.selector ?? 'html',
          first === undefined ? 'no WebSite' : excerpt(JSON.stringify(first.node), 160),
        ),
        message,
        // One that is wrong is part of other data.
        snippet:
          name === null || first !== undefined
            ? null
            : addedToHead(jsonLd({ '@type': 'WebSite', name, url: `${site.discovery.origin}/` })),
      },
    ];
  },
});

/** A start page may have thousands, each with an address to be read. */
const NODES_AT_ONCE = 64;
