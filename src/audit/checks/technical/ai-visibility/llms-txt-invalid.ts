import { excerpt } from '../../../excerpt.ts';
import { siteCheck } from '../../check.ts';
import { llmsFile, llmsLinks, llmsTextProblem } from '../../lookups/llmsText.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const llmsTxtInvalid = siteCheck({
  id: 'llms-txt-invalid',
  title: 'Invalid llms.txt',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Tools that read llms.txt get a working list of your key pages.',
  timeToResult: '1-2 weeks',
  risk: 'Agents and developer tools that look for the file can’t use it, or follow its links to pages that are gone.',
  steps: [
    'Serve /llms.txt as a plain text file with status 200, not as a web page.',
    'Start it with one title line and a one-sentence summary, then list your key pages as Markdown links under headings, as in the example.',
    'Correct or remove links that return status 404 or 410.',
  ],
  example: {
    before: null,
    after:
      '# YOUR SITE NAME\n\n> YOUR SUMMARY IN ONE SENTENCE\n\n## YOUR TOPIC\n\n- [YOUR PAGE TITLE](YOUR PAGE ADDRESS): YOUR NOTE ON THE PAGE',
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
