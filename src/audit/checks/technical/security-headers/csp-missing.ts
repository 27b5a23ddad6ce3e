import { hasStartPage, htmlPage } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { policyProblems } from '../../lookups/contentPolicy.ts';
import { headerValues, siteIndex } from '../../lookups/siteIndex.ts';

export const cspMissing = siteCheck({
  id: 'csp-missing',
  title: 'Content-Security-Policy is missing or weak',
  category: 'technical',
  group: 'security-headers',
  impact: 'low',
  difficulty: 'hard',
  minutes: 180,
  gain: 'Browsers will block most scripts that an attacker manages to inject.',
  timeToResult: 'immediate',
  risk: 'If someone manages to inject a script into your pages, browsers run it like one of your own.',
  steps: [
    'If you already send a policy, close the gaps shown in the finding.',
    'If not, start with the header Content-Security-Policy-Report-Only, which reports violations but blocks nothing.',
    'Allow your own scripts with a nonce (a random value that’s new in every response) or, on static pages, with their hashes.',
    'Open your main pages, and adjust the policy until the browser’s console reports none of your own scripts.',
    'Then send the same policy as Content-Security-Policy.',
  ],
  example: {
    before: null,
    after:
      "Content-Security-Policy-Report-Only: script-src 'nonce-YOUR RANDOM VALUE' 'strict-dynamic'; object-src 'none'; base-uri 'none'",
  },
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
