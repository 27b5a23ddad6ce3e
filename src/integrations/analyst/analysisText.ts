/** The analysis section of the report: what matters most and why, by category, quick wins. */
import type { AnalystFinding, AnalystInput } from './analyst.ts';
import { type Cause, isQuickWin } from './causes.ts';
import { code, prose, sentence } from './markdown.ts';
import { CATEGORY_ORDER, categoryName, count, duration, listed, scoreInWords } from './wording.ts';

const TOP = 5;
const QUICK = 8;
const EXAMPLES = 3;

const IMPACTS = ['high', 'medium', 'low'] as const;

function perImpact(causes: readonly Cause[]): string {
  return listed(
    IMPACTS.flatMap((impact) => {
      const n = causes.filter((cause) => cause.impact === impact).length;
      return n > 0 ? [`${n} of ${impact} impact`] : [];
    }),
  );
}

/** Where the site stands, in one paragraph. */
export function openingOf(input: AnalystInput, causes: readonly Cause[]): string {
  if (input.pagesAudited === 0) {
    return `No page of ${code(input.host)} could be read, so there is little to judge. What was found along the way is listed here; mend it first and audit again.`;
  }
  const { word } = scoreInWords(input.score);
  const where = `${code(input.host)} scores **${Math.round(input.score)} of 100** (${word}) on the ${count(input.pagesAudited, 'page')} audited.`;
  if (causes.length === 0) return `${where} No check found a fault.`;
  const faults = `${count(input.findings.length, 'finding')} come from ${count(causes.length, 'cause')}: ${perImpact(causes)}.`;
  const work = causes.reduce((sum, cause) => sum + cause.minutes, 0);
  return `${where} ${input.findings.length === 1 ? 'The one finding comes from one cause' : faults.replace(/\.$/, '')}. Mending all of them takes ${duration(work)} of work.`;
}

function examples(findings: readonly AnalystFinding[]): string {
  const lines = findings.slice(0, EXAMPLES).map((finding) => {
    const { url, place, value } = finding.evidence;
    const seen = value.trim() === '' ? '' : `: ${code(value)}`;
    return `  - ${code(url)}${place.trim() === '' ? '' : ` at ${code(place, 120)}`}${seen}`;
  });
  const more = findings.length - EXAMPLES;
  return [...lines, ...(more > 0 ? [`  - and ${count(more, 'more place')}`] : [])].join('\n');
}

/** One cause as a list entry: how much it weighs, why it matters, where it was seen, and what to do. */
export function priority(cause: Cause, text?: string): string {
  const { check, impact, pages, minutes } = cause;
  const facts = `${impact} impact, ${count(pages.length, 'page')}, ${duration(minutes)}${cause.hint ? ', hint only' : ''}`;
  const body = text ?? `${sentence(check.why)} ${sentence(check.fix)}`;
  return `- **${prose(check.title, 160)}** (${facts}). ${body.trim()}\n${examples(cause.findings)}`;
}

function prioritiesSection(causes: readonly Cause[]): string {
  if (causes.length === 0) return '';
  const top = causes.slice(0, TOP);
  const more = causes.length - top.length;
  const rest = more > 0 ? `\n\n${count(more, 'more cause')} of the same or lower impact ${more === 1 ? 'is' : 'are'} among the action items.` : '';
  return `### What matters most\n\n${top.map((cause) => priority(cause)).join('\n')}${rest}`;
}

export function categoriesSection(causes: readonly Cause[]): string {
  const lines = CATEGORY_ORDER.map((category) => {
    const own = causes.filter((cause) => cause.category === category);
    const [first] = own;
    if (!first) return `- **${categoryName(category)}**: nothing found.`;
    const work = own.reduce((sum, cause) => sum + cause.minutes, 0);
    return `- **${categoryName(category)}**: ${count(own.length, 'cause')} (${perImpact(own)}), ${duration(work)}. Begin with “${prose(first.check.title, 160)}”.`;
  });
  return `### By category\n\n${lines.join('\n')}`;
}

export function quickWinsSection(causes: readonly Cause[]): string {
  const quick = causes.filter(isQuickWin);
  if (quick.length === 0) return '';
  const shown = quick.slice(0, QUICK);
  const work = quick.reduce((sum, cause) => sum + cause.minutes, 0);
  const lead = `${count(quick.length, 'cause')} ${quick.length === 1 ? 'is' : 'are'} easy and quick: ${duration(work)} together.`;
  const lines = shown.map((cause) => `- **${prose(cause.check.title, 160)}** (${duration(cause.minutes)}): ${sentence(cause.check.fix)}`);
  const more = quick.length - shown.length;
  return `### Quick wins\n\n${lead}\n\n${lines.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`;
}

export function coverageSection(input: AnalystInput): string {
  return input.coverage.trim() === '' ? '' : `### What this covers\n\n${sentence(prose(input.coverage, 1000))}`;
}

/** Sections under `###`, so that it fits below a `##` of the report. */
export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

export function analysisOf(input: AnalystInput, causes: readonly Cause[]): string {
  return joinSections([
    openingOf(input, causes),
    prioritiesSection(causes),
    ...(causes.length > 0 ? [categoriesSection(causes)] : []),
    quickWinsSection(causes),
    coverageSection(input),
  ]);
}
