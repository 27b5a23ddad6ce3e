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
  gain: 'The whole page is read and loads faster.',
  timeToResult: '2-4 weeks',
  risk: 'Crawlers stop reading after a limit, and mobile parsing is slow.',
  steps: ['Move inline data, SVG and styles to files; paginate lists.'],
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
