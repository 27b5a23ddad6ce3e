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
  risk: 'Your pages don’t say which sites may show them in a frame. Any site can load them invisibly and trick visitors into clicking your buttons.',
  steps: [
    "If your pages send no Content-Security-Policy header, send `Content-Security-Policy: frame-ancestors 'self'` with every page. A meta tag doesn’t work for this.",
    'If they already send one, leave that policy as it is and send `X-Frame-Options: SAMEORIGIN` with every page.',
    "If partners embed your pages, add `frame-ancestors 'self'` and their addresses to the policy instead, or they’re locked out.",
    'Set the header in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send these steps to your host’s support team.',
    'Open the Network tab in your browser’s developer tools, reload the page, click its entry, and make sure its response headers contain `frame-ancestors` or `X-Frame-Options: SAMEORIGIN`.',
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
