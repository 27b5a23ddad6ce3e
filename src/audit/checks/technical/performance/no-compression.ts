import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { kilobytes, seen } from '../../evidence.ts';
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
  gain: 'Cuts transfer size to a third or less.',
  timeToResult: 'immediate',
  risk: 'Visitors download several times more than needed.',
  steps: ['Enable Brotli or gzip for text.'],
  example: { before: null, after: 'brotli on; brotli_types text/html text/css application/javascript;' },
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
      },
    ];
  },
});
