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
  risk: 'Nothing fully keeps injected scripts out of your pages. If there’s no Content-Security-Policy, browsers run such a script like one of your own. If there’s one with gaps, they do so wherever a gap lets it through.',
  steps: [
    'If you already send a policy, close the gaps that this report lists.',
    "If not, start with a header that blocks nothing: `Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'none'`. Set it in your web host’s control panel, your CDN, or the server’s configuration, or ask your host’s support team to.",
    'Open your main pages and the Console in your browser’s developer tools. Add the hosts of your own scripts that it names to `script-src`, and allow inline scripts with a nonce or a hash.',
    'Once the Console reports none of your own scripts, rename the header to `Content-Security-Policy`. If you do it earlier, pages can break.',
    'Reload your main pages, click their entries in the Network tab, and make sure their response headers contain the policy and they work.',
  ],
  // No code is written: a policy that was not tried on the site would break its scripts.
  example: {
    before: null,
    after: "Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'none'",
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
