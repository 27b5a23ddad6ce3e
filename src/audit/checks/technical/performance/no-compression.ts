import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { kilobytes, seen } from '../../evidence.ts';
import { compressed } from '../../lookups/serverCode.ts';
import { header } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noCompression = pageCheck({
  id: 'no-compression',
  title: 'HTML is sent uncompressed',
  category: 'technical',
  group: 'performance',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The HTML shrinks to a fraction of its size and arrives faster.',
  timeToResult: 'immediate',
  risk: 'Visitors and crawlers download much more data than they need to.',
  steps: [
    'Turn on Brotli or gzip for HTML, CSS, JavaScript, JSON and SVG in the web server, the CDN or your hosting panel.',
    'If there is a proxy in front, make sure that it passes on the Accept-Encoding header or compresses by itself.',
    'Check in the browser’s developer tools that the page comes with Content-Encoding: br, gzip or zstd.',
  ],
  example: {
    before: null,
    after:
      '# nginx (compresses HTML by default once gzip is on)\ngzip on;\ngzip_proxied any;\ngzip_types text/css text/javascript application/javascript application/json image/svg+xml;',
  },
  tags: ['speed', 'compression'],
  source: 'Lighthouse: document-latency-insight',
  appliesTo: (page) => htmlPage(page) && page.outcome.bytes > THRESHOLDS.compressionMinBytes,
  run: (page) => {
    const encoding = (header(page.outcome, 'content-encoding') ?? '').toLowerCase();
    if (/\b(?:gzip|x-gzip|br|zstd|deflate)\b/.test(encoding)) return [];
    return [
      {
        evidence: seen(page, 'header content-encoding', encoding || 'missing'),
        message: `${kilobytes(page.outcome.bytes)} of HTML is sent uncompressed.`,
        snippet: compressed(page),
      },
    ];
  },
});
