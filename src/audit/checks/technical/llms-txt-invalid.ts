import type { SiteCheck } from '../check.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const llmsTxtInvalid: SiteCheck = {
  id: 'llms-txt-invalid',
  scope: 'site',
  title: 'llms.txt does not follow the format',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  businessValue: 'The file can be used as intended.',
  timeToResult: '1-2 weeks',
  why: 'Readers cannot parse it.',
  fix: 'Begin with one H1, a short quote line and link lists.',
  codeExample: '# Example\n\n> Short summary.\n\n## Guides\n\n- [Start](https://example.com/start): first steps',
  tags: ['ai', 'llms.txt'],
  source: 'Lighthouse core/audits/agentic/llms-txt.js',
  lighthouse: 'llms-txt',
  hint: false,
  appliesTo: (site) => {
    const status = site.discovery.llmsTxt?.outcome.status ?? null;
    return site.discovery.llmsTxt !== null && (status === null || status < 400 || status > 499);
  },
  run: (site) => {
    const probe = site.discovery.llmsTxt;
    if (probe === null) return [];
    const { status, failure } = probe.outcome;
    const problem = status === null || status >= 500 ? `it could not be fetched (${status ?? failure ?? 'no answer'})` : textProblem(probe.text);
    if (problem === null) return [];
    return [
      {
        evidence: { url: `${site.discovery.origin}/llms.txt`, place: 'body', value: probe.text.slice(0, 120) || String(status ?? failure) },
        message: `/llms.txt is not usable: ${problem}.`,
      },
    ];
  },
};

function textProblem(raw: string): string | null {
  const text = raw.replace(/^\uFEFF/, '').trim();
  if (/^<(?:!doctype|html|head|body)\b/i.test(text)) return 'it is a web page';
  if (!/^# \S/m.test(text)) return 'there is no "# Title" line';
  if (!/\[[^\]\n]{1,300}\]\([^)\s]{1,2000}\)/.test(text)) return 'there is no markdown link';
  return text.length < THRESHOLDS.llmsTxtMin ? `it has ${text.length} characters` : null;
}
