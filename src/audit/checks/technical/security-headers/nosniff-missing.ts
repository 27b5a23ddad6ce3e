import { hasStartPage } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { header, siteIndex } from '../../lookups/siteIndex.ts';
import { headerSet } from '../../lookups/snippets.ts';

export const nosniffMissing = siteCheck({
  id: 'nosniff-missing',
  title: 'X-Content-Type-Options header missing',
  category: 'technical',
  group: 'security-headers',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'A one-line hardening most audits ask for.',
  timeToResult: 'immediate',
  risk: 'Wrongly typed files may run as scripts.',
  steps: ['Send the header everywhere.'],
  example: { before: null, after: 'X-Content-Type-Options: nosniff' },
  tags: ['security', 'headers'],
  source:
    'MDN: X-Content-Type-Options (https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Content-Type-Options)',
  looksIn: ['response header'],
  appliesTo: hasStartPage,
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null) return [];
    const value = header(start.outcome, 'x-content-type-options');
    if (value?.trim().toLowerCase() === 'nosniff') return [];
    return [
      {
        evidence: seen(start, 'header x-content-type-options', value ?? 'missing'),
        message:
          value === null
            ? 'The header X-Content-Type-Options is missing.'
            : `X-Content-Type-Options is "${value}" instead of nosniff.`,
        snippet: headerSet('X-Content-Type-Options: nosniff'),
      },
    ];
  },
});
