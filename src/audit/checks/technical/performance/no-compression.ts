import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
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
  risk: 'Your server sends the HTML of this page uncompressed, so visitors and crawlers download much more data than they need to.',
  steps: [
    'Turn on Brotli or gzip for HTML, CSS, JavaScript, JSON, and SVG in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'If there’s a proxy in front of the server, make sure it passes on the `Accept-Encoding` header or compresses by itself.',
    'Open the Network tab in your browser’s developer tools, reload the page, click its entry, and make sure its response headers contain `Content-Encoding: br`, `gzip`, or `zstd`.',
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
        // Without the size, pages that differ only in it are listed as one.
        message: 'The HTML is sent uncompressed.',
        snippet: compressed(page),
      },
    ];
  },
});
