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
  risk: 'Your /llms.txt doesn’t work as it should. If it’s not a usable text file, AI agents and developer tools that look for it get nothing from it. If it links to pages that are gone, they run into errors.',
  steps: [
    'Put llms.txt into the root folder of your site as a plain text file, for example with your web host’s file manager, so that /llms.txt opens as text and not as a web page.',
    'Start the file with the title line `# YOUR SITE NAME` and the summary `> YOUR SUMMARY IN ONE SENTENCE`. Below a heading such as `## YOUR TOPIC`, list your key pages as `- [YOUR PAGE TITLE](YOUR PAGE ADDRESS)`.',
    'If this report lists links that return a 404 or 410 status, correct or remove them in the file.',
    'Open /llms.txt in your browser and make sure it shows plain text and every link in it opens a page.',
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
          // What somebody wrote there would be lost.
          snippet: /<html|<!doctype/i.test(probe.text) || probe.text.trim() === '' ? llmsFile(site) : null,
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
