import { hasStartPage, htmlPage, isStartPageComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { organizationCode } from '../lookups/profiles.ts';
import { siteIndex } from '../lookups/siteIndex.ts';
import { describedNodes } from '../schemaOrg/schemaFaults.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { isTypeReadable } from '../schemaOrg/schemaNodes.ts';

export const organizationIncomplete = siteCheck({
  id: 'organization-incomplete',
  title: 'Organization markup missing or incomplete',
  category: 'schema',
  group: 'organization',
  impact: 'high',
  difficulty: 'easy',
  minutes: 30,
  businessValue: 'Helps search and assistants recognize the brand.',
  timeToResult: '4-8 weeks',
  why: 'The brand stays an unconnected string of letters.',
  fix: 'Add Organization with logo and profile links.',
  codeExample:
    '{"@context":"https://schema.org","@type":"Organization","name":"Example","url":"https://example.com","logo":"https://example.com/logo.png","sameAs":["https://www.linkedin.com/company/example"]}',
  tags: ['schema', 'organization', 'ai'],
  source:
    'Google Search Central: Organization structured data (https://developers.google.com/search/docs/appearance/structured-data/organization)',
  appliesTo: hasStartPage,
  gathered: (site) => isStartPageComplete(site) && isTypeReadable(siteIndex(site).start?.facts, 'Organization'),
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null || !htmlPage(start)) return [];
    const nodes = describedNodes(start, 'Organization');
    if (nodes.length === 0)
      return [
        {
          evidence: seen(start, 'html', 'no Organization'),
          message: 'The start page does not say in structured data who runs the site.',
          impact: 'medium',
          code: organizationCode(start),
        },
      ];
    const lacks = nodes.map(({ node }) => Object.values(lacksOf(node, 'Organization', start.facts)).flat());
    const fewest = lacks.reduce((best, missing) => (missing.length < best.length ? missing : best));
    if (fewest.length === 0) return [];
    const impact = fewest.includes('name') || fewest.includes('url') ? 'high' : 'low';
    return [
      {
        evidence: seen(start, nodes[lacks.indexOf(fewest)]?.selector ?? 'html', `missing: ${fewest.join(', ')}`),
        message: `The organization in structured data lacks ${fewest.join(', ')}.`,
        impact,
        code: organizationCode(start),
      },
    ];
  },
});
