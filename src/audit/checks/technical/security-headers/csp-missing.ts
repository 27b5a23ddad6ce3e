import { hasStartPage, htmlPage } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { policyProblems } from '../../lookups/contentPolicy.ts';
import { headerValues, siteIndex } from '../../lookups/siteIndex.ts';

export const cspMissing = siteCheck({
  id: 'csp-missing',
  title: 'No Content-Security-Policy',
  category: 'technical',
  group: 'security-headers',
  impact: 'low',
  difficulty: 'hard',
  minutes: 180,
  gain: 'Limits the damage of injected scripts.',
  timeToResult: 'immediate',
  risk: 'Any injected script runs freely.',
  steps: ['Start in report-only mode, then enforce.'],
  example: { before: null, after: "Content-Security-Policy: default-src 'self'; object-src 'none'; base-uri 'none'" },
  tags: ['security', 'headers'],
  source: 'Lighthouse: csp-xss',
  lighthouse: 'csp-xss',
  hint: true,
  looksIn: ['response header', 'meta tag'],
  appliesTo: hasStartPage,
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null || !htmlPage(start)) return [];
    const metas = start.facts.httpEquiv
      .filter(({ name }) => name === 'content-security-policy')
      .map(({ content }) => content);
    const policies = [...headerValues(start.outcome, 'content-security-policy'), ...metas].flatMap((policy) =>
      policy.split(','),
    );
    const place = 'header content-security-policy';
    if (policies.length === 0)
      return [
        {
          evidence: seen(start, place, 'missing'),
          message: 'No Content-Security-Policy is set by header or meta tag.',
        },
      ];
    const problems = policyProblems(policies);
    return problems.length === 0
      ? []
      : [
          {
            evidence: seen(start, place, policies.join('; ')),
            message: `The policy leaves gaps: ${problems.join('; ')}.`,
          },
        ];
  },
});
