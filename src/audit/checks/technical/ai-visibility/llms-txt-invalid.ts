import { excerpt } from '../../../excerpt.ts';
import { siteCheck } from '../../check.ts';
import { llmsFile, llmsLinks, llmsTextProblem } from '../../lookups/llmsText.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const llmsTxtInvalid = siteCheck({
  id: 'llms-txt-invalid',
  title: 'llms.txt does not follow the format',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The file can be used as intended.',
  timeToResult: '1-2 weeks',
  risk: 'Readers cannot parse it.',
  steps: ['Begin with one H1, a short quote line and link lists.'],
  example: {
    before: null,
    after: '# Example\n\n> Short summary.\n\n## Guides\n\n- [Start](https://example.com/start): first steps',
  },
  tags: ['ai', 'llms.txt'],
  source: 'Lighthouse: llms-txt',
  lighthouse: 'llms-txt',
  appliesTo: (site) => {
    const status = site.discovery.llmsTxt?.outcome.status ?? null;
    return site.discovery.llmsTxt !== null && (status === null || status < 400 || status > 499);
  },
  run: (site) => {
    const probe = site.discovery.llmsTxt;
    if (probe === null) return [];
    const { status, failure } = probe.outcome;
    const problem =
      status === null || status >= 500
        ? `it could not be fetched (${status ?? failure ?? 'no answer'})`
        : llmsTextProblem(probe.text);
    const url = `${site.discovery.origin}/llms.txt`;
    if (problem !== null)
      return [
        {
          evidence: { url, place: 'body', value: excerpt(probe.text, 120) || String(status ?? failure) },
          message: `/llms.txt is not usable: ${problem}.`,
          snippet: llmsFile(site),
        },
      ];
    return llmsLinks(probe.text, url).flatMap((link) => {
      const answer = siteIndex(site).answerOf(link)?.outcome.status ?? 0;
      if (answer !== 404 && answer !== 410) return [];
      return [
        {
          evidence: { url: link, place: '/llms.txt', value: String(answer) },
          message: `/llms.txt leads to ${link}, which answers with status ${answer}.`,
          hint: true,
        },
      ];
    });
  },
});
