/** The readable report: score with deductions, coverage, findings by cause, and checks that passed. */

import { type CrawlSettings, isPart, settingsText } from '../../model/crawlSettings.ts';
import { LONGEST_PLACE } from '../../model/edits.ts';
import { CATEGORY_NAMES, type Example, type Finding, IMPACTS, type Impact } from '../../model/findings.ts';
import { findingsOf, omittedOf } from '../../model/issues/issues.ts';
import { rootText } from '../../model/issues/rootTexts.ts';
import { readableAddress, readableHost } from '../../model/readableAddress.ts';
import {
  ceilingText,
  NOT_JUDGED,
  NOT_JUDGED_TEXTS,
  type NotJudgedReason,
  SHUT_TEXT,
  wholeScore,
} from '../../model/scores.ts';
import { stepsText } from '../../model/wording.ts';
import type { CheckMeta, CheckOutcome } from '../checks/check.ts';
import { count, plural } from '../checks/evidence.ts';
import type { Crawl } from '../crawl/site.ts';
import type { Score } from '../score.ts';
import { clean, coverageLines, notChecked, openText } from './coverage.ts';
import { cellCode, codeBlock, codeSpan, prose } from './markdown.ts';
import {
  addressesOf,
  codeIn,
  codeText,
  extentText,
  type ReportIssue,
  reportIssues,
  type Statement,
  statementsOf,
  workText,
} from './reportIssues.ts';
import { formulaText, foundationsText, isFirstFormula, scoredCategories, shareText } from './scoreText.ts';
import { SITE_CHECKS } from './siteChecks.ts';

type ReportText = {
  readonly url: string;
  readonly host: string;
  /** UTC ISO. */
  readonly generatedAt: string;
  /** Null if the site was not judged, or nothing could be read. */
  readonly score: Score | null;
  readonly notJudged?: NotJudgedReason | null;
  readonly settings?: CrawlSettings | undefined;
  /** Coverage, line by line, as Markdown. */
  readonly coverage: readonly string[];
  readonly findings: readonly Finding[];
  readonly outcomes: readonly CheckOutcome[];
  /** `locked`: its fix is a placeholder. */
  readonly checks: readonly (CheckMeta & { readonly locked?: boolean })[];
  /**
   * Already safe Markdown, its author, the prompt version if a model wrote it, and otherwise why a model that should
   * have written it did not (`instead`).
   */
  readonly analysis?: {
    readonly text: string;
    readonly by: string;
    readonly prompt?: string;
    readonly instead?: string | null;
  };
};

export type ReportInput = Omit<ReportText, 'coverage' | 'settings'> & { readonly crawl: Crawl };

const SHOWN_FINDINGS = 12;
/** Per statement that applies to many pages. */
const SHOWN_PAGES = 3;
const SHOWN_DEDUCTIONS = 40;

export function reportMarkdown({ crawl, ...input }: ReportInput): string {
  return reportText({ ...input, settings: crawl.coverage.settings, coverage: coverageLines(crawl, codeSpan) });
}

function authorText({ by, prompt, instead }: NonNullable<ReportText['analysis']>): string {
  if (instead) return `${prose(by)}, because the language model failed (${prose(instead.replace(/\.$/, ''))})`;
  return prompt === undefined ? prose(by) : `${prose(by)}, asked with ${codeSpan(prompt)}`;
}

export function reportText(input: ReportText): string {
  const issues = reportIssues(input);
  const faults = issues.filter((issue) => !issue.hint);
  const hints = issues.filter((issue) => issue.hint);
  const sections = [
    `# SEO audit of ${prose(readableHost(input.host))}`,
    `${codeSpan(readableAddress(input.url))}, ${day(input.generatedAt)}.`,
    partText(input),
    scoreSection(input, faults),
    ['## Scope and limits', ...input.coverage.map((line) => `- ${line}`)].join('\n'),
    input.analysis === undefined
      ? ''
      : `## Analysis\n\n${input.analysis.text.trim()}\n\nWritten by: ${authorText(input.analysis)}`,
    '## Findings',
    faults.length === 0 ? nothingFound(input) : '',
    ...IMPACTS.flatMap((impact) =>
      impactSection(
        impact,
        faults.filter((issue) => issue.impact === impact),
        input,
      ),
    ),
    ...hintSection(hints, input),
    ...(saysLittle(input) ? [] : [...passedSection(input), ...uncheckedSection(input)]),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function partText({ settings }: ReportText): string {
  return settings && isPart(settings)
    ? `**Part of the site:** ${settingsText(settings, (text) => codeSpan(text))}.`
    : '';
}

/** Of a site of which no page was read, hardly any check says something. */
export function saysLittle({ score, notJudged = null }: Pick<ReportText, 'score' | 'notJudged'>): boolean {
  return notJudged !== null || score?.pages === 0;
}

function nothingFound({ score, notJudged = null }: ReportText): string {
  if (notJudged !== null) return 'Its pages could not be checked.';
  return score === null ? '' : 'No issues lower the score.';
}

function day(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ').concat(' UTC');
}

function scoreSection(
  { score, notJudged = null, settings, checks }: ReportText,
  faults: readonly ReportIssue[],
): string {
  if (score === null)
    return notJudged === null
      ? '## Score: not scored\n\nNo page could be audited.'
      : `## ${NOT_JUDGED}\n\n${NOT_JUDGED_TEXTS[notJudged]}`;
  // One issue is all there is: no table explains more.
  if (score.pages === 0) return `## Score: ${wholeScore(score.value)} of 100\n\n${SHUT_TEXT}`;
  const titles = new Map(checks.map((check) => [check.id, check.title]));
  const lines = [
    `## Score${isPart(settings) ? ' of this part' : ''}: ${wholeScore(score.value)} of 100`,
    '',
    `${plural(score.pages, 'HTML page')}, ${plural(faults.length, 'issue')} to fix. Optional issues don’t affect the score.`,
    ...(score.foundations ? ['', foundationsText(score.foundations)] : []),
  ];
  if (score.limits.length > 0)
    lines.push('', ...score.limits.map(({ cap, reason }) => `- **${reason}.** ${ceilingText(cap)}`));
  lines.push(
    '',
    ...(isFirstFormula(score)
      ? ['| Category | Points lost | Maximum |', '| --- | ---: | ---: |']
      : ['| Category | Points lost |', '| --- | ---: |']),
    ...scoredCategories(score).map(
      ({ category, lost, cap }) => `| ${CATEGORY_NAMES[category]} | ${lost} |${cap === undefined ? '' : ` ${cap} |`}`,
    ),
  );
  if (score.deductions.length > 0) {
    const shown = score.deductions.slice(0, SHOWN_DEDUCTIONS);
    lines.push('', '| Issue | Weight | Pages affected | Points |', '| --- | ---: | ---: | ---: |');
    lines.push(
      ...shown.map(
        (deduction) =>
          `| ${titles.get(deduction.checkId) ?? deduction.checkId} | ${deduction.weight} | ${shareText(deduction)} | ${deduction.points} |`,
      ),
    );
  }
  lines.push('', formulaText(score));
  return lines.join('\n');
}

function impactSection(impact: Impact, issues: readonly ReportIssue[], input: ReportText): string[] {
  if (issues.length === 0) return [];
  return [
    `### ${impact === 'high' ? 'High' : impact === 'medium' ? 'Medium' : 'Low'} impact`,
    ...issues.map((issue) => issueSection(issue, input)),
  ];
}

function hintSection(issues: readonly ReportIssue[], input: ReportText): string[] {
  return issues.length === 0
    ? []
    : ['### Optional', 'Nothing here affects the score.', ...issues.map((issue) => issueSection(issue, input))];
}

function issueSection(issue: ReportIssue, { outcomes, score }: ReportText): string {
  const { check, title, steps } = issue;
  const findings = findingsOf(issue);
  const omitted = omittedOf(issue, outcomes);
  // They are listed below, but neither counted among the pages affected nor charged.
  const optional = issue.hint ? 0 : findings.filter(({ hint }) => hint).length;
  const root = rootText({ checkId: check.id, roots: issue.roots, pages: issue.pages.length }, codeSpan);
  const statements = statementsOf(findings);
  const shown = statements.slice(0, SHOWN_FINDINGS);
  const more = statements.slice(SHOWN_FINDINGS).reduce((sum, statement) => sum + statement.pages.length, 0) + omitted;
  const lines = [
    `#### ${title}`,
    '',
    `${plural(findings.length + omitted, 'finding')} on ${plural(addressesOf(issue), 'address', 'addresses')}${optional > 0 ? `, ${count(optional)} of them optional` : ''} · ${CATEGORY_NAMES[check.category].toLowerCase()} · ${workText(issue)}`,
    ...(root === '' ? [] : ['', root]),
    '',
    `**Risk:** ${check.risk}`,
    '',
    `**Gain:** ${check.gain}`,
    '',
    ...stepLines(steps),
    '',
    ...shown.flatMap((statement) =>
      statementLines(statement, shown.length === 1 ? SHOWN_FINDINGS : SHOWN_PAGES, score?.pages ?? 0),
    ),
  ];
  if (more > 0) lines.push(`- and ${count(more)} more${omitted === 0 ? ' in findings.json' : ''}`);
  const code = codeIn(issue);
  lines.push(
    ...(code === null
      ? exampleLines(check.example)
      : ['', `**${codeText(code, (text) => codeSpan(text, LONGEST_PLACE))}:**`, '', codeBlock(code.code)]),
  );
  return lines.join('\n');
}

function stepLines(steps: readonly string[]): string[] {
  return steps.length < 2
    ? [`**What to do:** ${stepsText(steps)}`]
    : ['**What to do:**', '', ...steps.map((step, index) => `${index + 1}. ${step}`)];
}

function exampleLines(example: Example | null): string[] {
  if (example === null) return [];
  const { before, after } = example;
  return before === null
    ? ['', '**Example:**', '', codeBlock(after)]
    : ['', '**Example,** before:', '', codeBlock(before), '', 'After:', '', codeBlock(after)];
}

function statementLines(statement: Statement, most: number, audited: number): string[] {
  const { message, evidence } = statement.finding;
  const seen = `${codeSpan(evidence.place)}: ${codeSpan(evidence.value)}`;
  if (statement.pages.length === 1) return [`- ${prose(message)} ${codeSpan(readableAddress(evidence.url))}, ${seen}`];
  const more = statement.pages.length - most;
  return [
    `- ${extentText(statement, audited)}${prose(message)} ${seen}`,
    ...statement.pages.slice(0, most).map((page) => `  - ${codeSpan(readableAddress(page))}`),
    ...(more > 0 ? [`  - and ${count(more)} more`] : []),
  ];
}

function passedSection({ outcomes, checks, findings }: ReportText): string[] {
  const passed = new Map(clean(outcomes, findings).map((outcome) => [outcome.checkId, outcome.looked]));
  const titles = checks
    .filter((check) => passed.has(check.id))
    .map(({ id, title }) => {
      const looked = SITE_CHECKS.has(id) ? 'whole site' : `${count(passed.get(id) ?? 0)} checked`;
      return `- ${title} (${looked})`;
    });
  return titles.length === 0 ? [] : ['## Passed checks', 'None of these was found.', titles.join('\n')];
}

function uncheckedSection({ outcomes, checks }: ReportText): string[] {
  const metas = new Map(checks.map((check) => [check.id, check]));
  const rows = notChecked(outcomes).map((outcome) => {
    const { checkId, state, error } = outcome;
    const why = state === 'error' ? `the check itself failed: ${cellCode(error ?? '')}` : openText(outcome);
    return `- ${metas.get(checkId)?.title ?? checkId}: ${why}`;
  });
  return rows.length === 0 ? [] : ['## Not checked', 'These checks could not run, or not everywhere.', rows.join('\n')];
}
