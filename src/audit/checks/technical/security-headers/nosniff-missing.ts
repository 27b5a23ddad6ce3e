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
  gain: 'Browsers use the file types you declare instead of guessing.',
  timeToResult: 'immediate',
  risk: 'Your server doesn’t send the header that stops browsers from guessing file types. They may guess a type from a file’s content, so a harmless-looking upload can run as a script.',
  steps: [
    'Open the Network tab in your browser’s developer tools, reload the page, click the stylesheets and scripts, and make sure their `Content-Type` is `text/css` or `text/javascript`. If one is wrong, correct it in the server’s configuration, because browsers refuse such files with the new header.',
    'Send the header `X-Content-Type-Options: nosniff` with every response, in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Reload the page, click its entry in the Network tab, and make sure its response headers contain `X-Content-Type-Options: nosniff` and the page looks and works as before.',
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
