import { hasStartPage } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { header, headerValues, siteIndex } from '../../lookups/siteIndex.ts';
import { headerSet } from '../../lookups/snippets.ts';

export const frameProtection = siteCheck({
  id: 'frame-protection',
  title: 'Page can be framed by any site',
  category: 'technical',
  group: 'security-headers',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Prevents fake overlays on your pages.',
  timeToResult: 'immediate',
  risk: 'Attackers can overlay your page to steal clicks.',
  steps: ['Send frame-ancestors.'],
  example: { before: null, after: "Content-Security-Policy: frame-ancestors 'self'" },
  tags: ['security', 'headers'],
  source: 'Lighthouse: clickjacking-mitigation',
  lighthouse: 'clickjacking-mitigation',
  looksIn: ['X-Frame-Options', 'frame-ancestors of the policy'],
  appliesTo: hasStartPage,
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null) return [];
    const frames = headerValues(start.outcome, 'x-frame-options').map((value) =>
      value.replace(/\s/g, '').toUpperCase(),
    );
    const frame = frames.join(', ');
    const policy = header(start.outcome, 'content-security-policy') ?? '';
    if (
      frames.some((value) => value === 'DENY' || value === 'SAMEORIGIN') ||
      /(?:^|[;,])\s*frame-ancestors(?:[\s;,]|$)/i.test(policy)
    )
      return [];
    return [
      {
        evidence: seen(start, 'header x-frame-options', frame || 'missing'),
        message:
          frame === ''
            ? 'Neither X-Frame-Options nor frame-ancestors is set: any site may show this page in a frame.'
            : `X-Frame-Options "${frame}" is not a value that browsers know.`,
        snippet: headerSet('X-Frame-Options: SAMEORIGIN'),
      },
    ];
  },
});
