import { hasStartPage } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { header, siteIndex } from '../../lookups/siteIndex.ts';
import { headerSet } from '../../lookups/snippets.ts';

export const nosniffMissing = siteCheck({
  id: 'nosniff-missing',
  title: 'X-Content-Type-Options header is missing or wrong',
  category: 'technical',
  group: 'security-headers',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Browsers go by the file types you declare and don’t guess.',
  timeToResult: 'immediate',
  risk: 'Browsers may guess a file’s type from its content, so a harmless-looking upload can run as a script.',
  steps: [
    'Check that stylesheets and scripts are sent with the right Content-Type, because with this header browsers refuse files of the wrong type.',
    'Send the header X-Content-Type-Options: nosniff with every response.',
  ],
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
