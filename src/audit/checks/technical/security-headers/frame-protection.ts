import { hasStartPage } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { header, headerValues, siteIndex } from '../../lookups/siteIndex.ts';
import { headerSet } from '../../lookups/snippets.ts';

export const frameProtection = siteCheck({
  id: 'frame-protection',
  title: 'No clickjacking protection',
  category: 'technical',
  group: 'security-headers',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Other sites can no longer use your pages to trick people into clicking.',
  timeToResult: 'immediate',
  risk: 'Your pages don’t say who may show them in a frame. Any site can load them invisibly and trick visitors into clicking your buttons.',
  steps: [
    "Send the header `Content-Security-Policy: frame-ancestors 'self'` with every page, in your web host’s control panel, your CDN, or the server’s configuration. If you have none of these, ask your host’s support to do exactly this.",
    "If you already send a Content-Security-Policy header, add `; frame-ancestors 'self'` to the end of it. A meta tag doesn’t work for this.",
    "If partners embed your pages, list their addresses after `'self'`, because everyone else is locked out.",
    'To check, reload the page and look at its response headers in the Network tab of your browser’s developer tools: `frame-ancestors` is there.',
  ],
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
        snippet: headerSet(
          policy === '' ? "Content-Security-Policy: frame-ancestors 'self'" : 'X-Frame-Options: SAMEORIGIN',
        ),
      },
    ];
  },
});
