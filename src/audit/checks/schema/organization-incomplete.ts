import { hasStartPage, htmlPage, isStartPageComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { siteIndex } from '../lookups/siteIndex.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { isDescribed } from '../schemaOrg/schemaFaults.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { gatheringNodes, has, isOwn, isTypeReadable } from '../schemaOrg/schemaNodes.ts';

export const organizationIncomplete = siteCheck({
  id: 'organization-incomplete',
  title: 'Organization markup is missing or incomplete',
  category: 'schema',
  group: 'organization',
  impact: 'high',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Search engines and AI assistants recognize your brand.',
  timeToResult: '4-8 weeks',
  risk: 'The home page’s structured data doesn’t say who runs the site, or leaves out details such as the logo, so search engines can’t reliably connect your name to a company.',
  steps: [
    'In your SEO plugin’s settings or in the template, add Organization JSON-LD (a script of the type `application/ld+json`) to the `<head>` of the home page, or complete it, with `name`, `url`, `logo`, and `sameAs`.',
    'List in `sameAs` only profiles that you run yourself, for example on LinkedIn or YouTube, and leave it out if you have none.',
    'If a person rather than a company runs the site, use the type `Person` with that person’s name.',
    'Test the home page in the Schema Markup Validator (validator.schema.org) and make sure it lists the organization or person and reports no errors.',
  ],
  // No code is written: which logo and profiles are the organization’s own, only the owner knows.
  example: schemaExample({
    '@type': 'Organization',
    name: 'YOUR ORGANIZATION NAME',
    url: 'YOUR HOME PAGE ADDRESS',
    logo: 'YOUR LOGO ADDRESS',
    sameAs: ['YOUR PROFILE ADDRESS'],
  }),
  tags: ['schema', 'organization', 'ai'],
  source:
    'Google Search Central: Organization structured data (https://developers.google.com/search/docs/appearance/structured-data/organization)',
  looksIn: ['JSON-LD', 'nodes in a @graph', 'publisher of the site', 'microdata', 'a person who runs it'],
  appliesTo: hasStartPage,
  gathered: (site) => isStartPageComplete(site) && isTypeReadable(siteIndex(site).start?.facts, 'Organization'),
  run: function* (site) {
    const { start } = siteIndex(site);
    if (start === null || !htmlPage(start)) return [];
    const nodes = (yield* gatheringNodes(start.facts, 'Organization')).filter(isOwn).filter(isDescribed);
    // A portfolio is run by a person.
    const people = nodes.length > 0 ? [] : yield* gatheringNodes(start.facts, 'Person');
    if (people.some((placed) => isOwn(placed) && has(placed.node, 'name'))) return [];
    if (nodes.length === 0)
      return [
        {
          evidence: seen(start, 'html', 'no Organization'),
          message: 'The home page does not say in structured data who runs the site.',
          impact: 'medium',
        },
      ];
    let best: { readonly selector: string; readonly fewest: readonly string[] } | null = null;
    for (const [nth, { node, selector }] of nodes.entries()) {
      if (nth % NODES_AT_ONCE === NODES_AT_ONCE - 1) yield;
      const missing = lacksOf(node, 'Organization', start.facts).recommended;
      if (missing.length < (best?.fewest.length ?? Number.POSITIVE_INFINITY)) best = { selector, fewest: missing };
    }
    const { selector = 'html', fewest = [] } = best ?? {};
    if (fewest.length === 0) return [];
    const impact = fewest.includes('name') || fewest.includes('url') ? 'high' : 'low';
    return [
      {
        evidence: seen(start, selector, `missing: ${fewest.join(', ')}`),
        message: `The organization in structured data lacks ${fewest.join(', ')}.`,
        impact,
      },
    ];
  },
});

/** A start page may describe thousands. */
const NODES_AT_ONCE = 64;
