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
  gain: 'Agents and developer tools find your key pages.',
  timeToResult: 'unknown',
  risk: 'Agents that look for the file find nothing.',
  steps: ['Publish a short curated list of your best pages.'],
  example: {
    before: null,
    after:
      '# Example\n\n> What Example does, in one sentence.\n\n## Docs\n\n- [Pricing](https://example.com/pricing): plans and limits',
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
