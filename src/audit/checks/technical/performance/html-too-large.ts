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
  risk: 'Large HTML takes phones longer to download and process. Crawlers read only the first part of a very large page.',
  steps: [
    'Look in the HTML source for long inline scripts, styles, SVG graphics, embedded images and data, and move them to files of their own.',
    'If the application writes its data into the page, cut it down to what the page uses.',
    'Split long lists into pages that link to each other.',
    'Aim for at most 500 KB of HTML.',
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
