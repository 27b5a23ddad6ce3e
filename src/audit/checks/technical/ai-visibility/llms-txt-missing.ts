import { everySite } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { llmsFile } from '../../lookups/llmsText.ts';

export const llmsTxtMissing = siteCheck({
  id: 'llms-txt-missing',
  title: 'No llms.txt',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Agents and developer tools that use llms.txt find your key pages right away.',
  timeToResult: 'unknown',
  risk: 'Your site has no llms.txt, so AI agents and developer tools that look for one have to make do with your pages. Search engines don’t need the file.',
  steps: [
    'Create a plain text file named llms.txt with the title line `# YOUR SITE NAME`, the summary `> YOUR SUMMARY IN ONE SENTENCE`, and links to your most useful pages, each written as `- [YOUR PAGE TITLE](YOUR PAGE ADDRESS)`.',
    'Upload the file to the root folder of the site with your web host’s file manager, and update it when those pages move.',
    'Open /llms.txt on your site and make sure your browser shows the text of the file.',
  ],
  example: {
    before: null,
    after:
      '# YOUR SITE NAME\n\n> YOUR SUMMARY IN ONE SENTENCE\n\n## YOUR TOPIC\n\n- [YOUR PAGE TITLE](YOUR PAGE ADDRESS): YOUR NOTE ON THE PAGE',
  },
  tags: ['ai', 'llms.txt'],
  source: 'llmstxt.org specification (https://llmstxt.org/)',
  hint: true,
  looksIn: ['/llms.txt'],
  appliesTo: everySite,
  gathered: (site) => site.discovery.llmsTxt !== null && site.discovery.llmsTxt.outcome.status !== null,
  run: (site) => {
    const status = site.discovery.llmsTxt?.outcome.status ?? null;
    if (status === null || status < 400 || status > 499) return [];
    return [
      {
        evidence: { url: `${site.discovery.origin}/llms.txt`, place: 'status', value: String(status) },
        message: `/llms.txt answers with status ${status}. It is optional, and search engines do not need it.`,
        snippet: llmsFile(site),
      },
    ];
  },
});
