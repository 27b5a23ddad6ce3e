import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { kilobytes, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const htmlTooLarge = pageCheck({
  id: 'html-too-large',
  title: 'HTML document is very large',
  category: 'technical',
  group: 'performance',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 120,
  gain: 'Crawlers read the whole page, and it loads faster.',
  timeToResult: '2-4 weeks',
  risk: 'The HTML of this page is very large, so phones take longer to download and process it. Crawlers read only the first part of a very large page.',
  steps: [
    'View the page source and find long inline scripts, styles, SVG graphics, embedded images, and data. In the template or the plugin that adds them, move them to separate files.',
    'If the application writes its data into the page, cut it down to what the page uses.',
    'Split long lists into pages that link to each other.',
    'Save the page source as a file and make sure it’s no larger than 500 KB.',
  ],
  example: null,
  tags: ['speed', 'html'],
  source: 'Semrush site audit landing page limit 2 MB (https://www.semrush.com/kb/681-site-audit-troubleshooting)',
  appliesTo: htmlPage,
  run: (page) => {
    const { bytes, truncated } = page.outcome;
    if (bytes <= THRESHOLDS.htmlBytes) return [];
    const hard = bytes > THRESHOLDS.htmlBytesHard;
    return [
      {
        evidence: seen(page, 'size', kilobytes(bytes)),
        message: `The HTML has ${truncated ? 'more than ' : ''}${kilobytes(bytes)}${hard ? ', more than crawlers read' : ''}; ${kilobytes(THRESHOLDS.htmlBytes)} is plenty.`,
        impact: hard ? 'high' : 'medium',
      },
    ];
  },
});
