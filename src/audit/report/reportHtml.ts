/**
 * The report as one HTML file: works offline, in both color schemes and in print; no scripts, no external resources.
 */
import { isPart, settingsText } from '../../model/crawlSettings.ts';
import { LONGEST_PLACE } from '../../model/edits.ts';
import { CATEGORY_NAMES, type Example, type Impact } from '../../model/findings.ts';
import { findingsOf, omittedOf } from '../../model/issues/issues.ts';
import { rootText } from '../../model/issues/rootTexts.ts';
import { readableAddress, readableHost } from '../../model/readableAddress.ts';
import { bandOf, ceilingText, NOT_JUDGED, NOT_JUDGED_TEXTS, SHUT_TEXT, wholeScore } from '../../model/scores.ts';
import { stepsText } from '../../model/wording.ts';
import { count, plural } from '../checks/evidence.ts';
import type { Score } from '../score.ts';
import { clean, coverageLines, coverageText, notChecked, openText } from './coverage.ts';
import { Html, html } from './html.ts';
import { oneLine } from './markdown.ts';
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
import { type ReportInput, saysLittle } from './reportMarkdown.ts';
import { REPORT_STYLES } from './reportStyles.ts';
import { formulaText, foundationsText, scoredCategories, shareText } from './scoreText.ts';

export type HtmlReportInput = Omit<ReportInput, 'analysis'> & {
  /** What to fix first, and why, in plain sentences. Without it, causes are ordered by impact. */
  readonly firstSteps?: readonly { readonly title: string; readonly reason: string }[];
};

const SHOWN_FINDINGS = 25;
/** Per statement that applies to many pages. */
const SHOWN_PAGES = 5;
const IMPACTS: readonly { readonly impact: Impact; readonly title: string; readonly tone: string }[] = [
  { impact: 'high', title: 'High impact', tone: 'bad' },
  { impact: 'medium', title: 'Medium impact', tone: 'attention' },
  { impact: 'low', title: 'Low impact', tone: 'info' },
];

export function reportHtml(input: HtmlReportInput): string {
  const { settings } = input.crawl.coverage;
  const issues = reportIssues(input);
  const faults = issues.filter((issue) => !issue.hint);
  const hints = issues.filter((issue) => issue.hint);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>SEO audit of ${readableHost(input.host)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<header>
<h1>SEO audit of ${readableHost(input.host)}</h1>
<p class="muted">${oneLine(readableAddress(input.url))} · ${input.generatedAt.slice(0, 16).replace('T', ' ')} UTC</p>
${isPart(settings) ? html`<p><strong>Part of the site:</strong> ${settingsText(settings ?? {}, (text) => oneLine(text))}</p>` : null}
</header>
${scoreCard(input)}
<section aria-labelledby="summary"><h2 id="summary">Summary</h2>${inShort(input, faults)}</section>
<section aria-labelledby="findings"><h2 id="findings">Issues</h2>
${faults.length === 0 ? html`<p>${nothingFound(input)}</p>` : null}
${IMPACTS.map(({ impact, title, tone }) => impactSection(title, tone, impact, faults, input))}
</section>
${hints.length === 0 ? null : html`<section aria-labelledby="optional"><h2 id="optional">Optional</h2><p class="muted">Nothing here affects the score.</p>${hints.map((issue) => issueCard(issue, 'info', 'Optional', input))}</section>`}
${input.score === null || input.score.pages === 0 ? null : html`<section aria-labelledby="score"><h2 id="score">How the score is calculated</h2>${deductionTable(input, input.score)}</section>`}
<section aria-labelledby="coverage"><h2 id="coverage">Scope and limits</h2><ul>${coverageLines(input.crawl, (text) => oneLine(text)).map((line) => html`<li>${line}</li>`)}</ul>${saysLittle(input) ? null : html`${passed(input)}${unchecked(input)}`}</section>
</main>
</body>
</html>
`;
  return page.text;
}

const styles = new Html(REPORT_STYLES);

function nothingFound({ score, notJudged = null }: HtmlReportInput): string {
  if (notJudged !== null) return 'Its pages could not be checked.';
  return score === null ? 'No page could be audited.' : 'No issues lower the score.';
}

const TONES = { good: 'good', fair: 'attention', poor: 'bad' } as const;

function scoreCard({ score, notJudged = null }: HtmlReportInput): Html {
  if (score === null)
    return notJudged === null
      ? html`<div class="card"><p><strong>Not scored.</strong> No page could be audited.</p></div>`
      : html`<div class="card"><p><strong>${NOT_JUDGED}.</strong> ${NOT_JUDGED_TEXTS[notJudged]}</p></div>`;
  const tone = TONES[bandOf(score.value)];
  const shown = wholeScore(score.value);
  const round = 2 * Math.PI * 44;
  return html`<div class="card score">
<svg class="ring ${tone}" viewBox="0 0 100 100" role="img" aria-label="Score ${shown} of 100"><circle class="track" cx="50" cy="50" r="44" fill="none" stroke-width="8"/><circle class="value" cx="50" cy="50" r="44" fill="none" stroke-width="8" stroke-linecap="round" stroke-dasharray="${((round * score.value) / 100).toFixed(1)} ${round.toFixed(1)}" transform="rotate(-90 50 50)"/><text x="50" y="60" text-anchor="middle">${shown}</text></svg>
${score.pages === 0 ? null : html`<dl class="bars">${scoredCategories(score).map(({ category, lost, cap = 100 }) => html`<dt>${CATEGORY_NAMES[category]}</dt><dd class="bar" aria-hidden="true"><span style="width:${Math.round(100 - (100 * lost) / cap)}%"></span></dd><dd>${lost === 0 ? 'nothing lost' : `−${lost}${cap === 100 ? '' : ` of ${cap}`}`}</dd>`)}</dl>`}
${score.limits.length === 0 || score.pages === 0 ? null : html`<ul>${score.limits.map(({ cap, reason }) => html`<li><strong class="bad">${reason}.</strong> ${ceilingText(cap)}</li>`)}</ul>`}
${score.foundations && score.pages > 0 ? html`<p>${foundationsText(score.foundations)}</p>` : null}
</div>`;
}

/** Summary for readers who stop here. */
function inShort({ host, score, crawl, firstSteps }: HtmlReportInput, faults: readonly ReportIssue[]): Html {
  if (score === null) return html`<p>${readableHost(host)} is not scored. ${coverageText(crawl)}</p>`;
  const high = faults.filter((issue) => issue.impact === 'high').length;
  const causes =
    faults.length === 0
      ? 'No issues lower the score.'
      : `${plural(faults.length, 'issue')} to fix, ${count(high)} of them high impact. Fix first:`;
  const steps = firstSteps?.map(({ title, reason }) => ({ title, says: `. ${reason}` }));
  const byImpact = faults.map((issue) => ({
    title: issue.title,
    says: ` (${plural(addressesOf(issue), 'address', 'addresses')}). ${issue.check.gain}`,
  }));
  const first = (steps ?? byImpact)
    .slice(0, 5)
    .map(({ title, says }) => html`<li><strong>${title}</strong>${says}</li>`);
  return html`<p>${readableHost(host)} scores <strong>${wholeScore(score.value)} of 100</strong> (${bandOf(score.value)}${isPart(crawl.coverage.settings) ? ', a part of the site' : ''}). ${score.pages === 0 ? SHUT_TEXT : coverageText(crawl)}</p><p>${causes}</p>${first.length === 0 ? null : html`<ol>${first}</ol>`}`;
}

function impactSection(
  title: string,
  tone: string,
  impact: Impact,
  faults: readonly ReportIssue[],
  input: HtmlReportInput,
): Html {
  return html`${faults.filter((issue) => issue.impact === impact).map((issue) => issueCard(issue, tone, title, input))}`;
}

function issueCard(issue: ReportIssue, tone: string, badge: string, { outcomes, score }: HtmlReportInput): Html {
  const { check, title, steps } = issue;
  const findings = findingsOf(issue);
  const omitted = omittedOf(issue, outcomes);
  const root = rootText(
    { checkId: check.id, roots: issue.roots, pages: issue.pages.length },
    (name) => `“${oneLine(name)}”`,
  );
  const statements = statementsOf(findings);
  const shown = statements.slice(0, SHOWN_FINDINGS);
  const more = statements.slice(SHOWN_FINDINGS).reduce((sum, statement) => sum + statement.pages.length, 0) + omitted;
  const code = codeIn(issue);
  return html`<details>
<summary><h3>${title}</h3><span class="badge ${tone}">${badge}</span><span class="muted small">${plural(addressesOf(issue), 'address', 'addresses')} · ${workText(issue)}</span></summary>
<div>
<p><strong>Risk.</strong> ${check.risk}</p>
<p><strong>Gain.</strong> ${check.gain}</p>
${stepsHtml(steps)}
${root === '' ? null : html`<p>${root}</p>`}
${shown.map((statement) => statementHtml(statement, score?.pages ?? 0))}
${more > 0 ? html`<p class="muted">And ${count(more)} more.</p>` : null}
${code === null ? exampleHtml(check.example) : html`<p>${codeText(code, (text) => `“${oneLine(text, LONGEST_PLACE)}”`)}:</p>${codeHtml(code.code)}`}
</div>
</details>
`;
}

function statementHtml(statement: Statement, audited: number): Html {
  const { message, evidence } = statement.finding;
  const more = statement.pages.length - SHOWN_PAGES;
  const pages = statement.pages
    .slice(0, SHOWN_PAGES)
    .map((page) => html`<li><code>${oneLine(readableAddress(page))}</code></li>`);
  return html`<div class="saying"><p>${extentText(statement, audited)}${oneLine(message)}<br><span class="muted small">${oneLine(evidence.place, 160)}:</span> <code class="small">${oneLine(evidence.value)}</code></p>
<ul class="small">${pages}${more > 0 ? html`<li>and ${count(more)} more</li>` : null}</ul></div>
`;
}

function deductionTable({ checks }: HtmlReportInput, score: Score): Html {
  const titles = new Map(checks.map((check) => [check.id, check.title]));
  const rows = score.deductions.map(
    (deduction) =>
      html`<tr><td>${titles.get(deduction.checkId) ?? deduction.checkId}</td><td class="hide-narrow">${CATEGORY_NAMES[deduction.category]}</td><td class="number hide-narrow">${deduction.weight}</td><td class="number">${shareText(deduction)}</td><td class="number">${deduction.points}</td></tr>`,
  );
  return html`<p>${formulaText(score)}</p>
${rows.length === 0 ? null : html`<div class="scroll"><table><thead><tr><th scope="col">Issue</th><th scope="col" class="hide-narrow">Category</th><th scope="col" class="number hide-narrow">Weight</th><th scope="col" class="number">Pages affected</th><th scope="col" class="number">Points</th></tr></thead><tbody>${rows}</tbody></table></div>`}`;
}

function stepsHtml(steps: readonly string[]): Html {
  return steps.length < 2
    ? html`<p><strong>What to do.</strong> ${withCode(stepsText(steps))}</p>`
    : html`<p><strong>What to do.</strong></p><ol>${steps.map((step) => html`<li>${withCode(step)}</li>`)}</ol>`;
}

/** Our own text, in which only `code` is formatted. */
function withCode(text: string): readonly Html[] {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`));
}

const codeHtml = (code: string): Html => html`<pre><code>${code.slice(0, 4000)}</code></pre>`;

function exampleHtml(example: Example | null): Html | null {
  if (example === null) return null;
  const { before, after } = example;
  return before === null
    ? html`<p><strong>Example.</strong></p>${codeHtml(after)}`
    : html`<p><strong>Example.</strong> Before:</p>${codeHtml(before)}<p>After:</p>${codeHtml(after)}`;
}

function passed({ outcomes, checks, findings }: HtmlReportInput): Html | null {
  const ids = new Set(clean(outcomes, findings).map((outcome) => outcome.checkId));
  const titles = checks.filter((check) => ids.has(check.id)).map((check) => html`<li>${check.title}</li>`);
  return titles.length === 0
    ? null
    : html`<details><summary><h3>Passed checks</h3><span class="muted small">${count(titles.length)} checks</span></summary><div><p>None of these was found.</p><ul>${titles}</ul></div></details>`;
}

function unchecked({ outcomes, checks }: HtmlReportInput): Html | null {
  const titles = new Map(checks.map((check) => [check.id, check.title]));
  const rows = notChecked(outcomes).map((outcome) => {
    const { checkId, state } = outcome;
    const why = state === 'error' ? 'the check itself failed' : openText(outcome);
    return html`<li>${titles.get(checkId) ?? checkId}: ${why}</li>`;
  });
  return rows.length === 0
    ? null
    : html`<details><summary><h3>Not checked</h3><span class="muted small">${count(rows.length)} checks</span></summary><div><ul>${rows}</ul></div></details>`;
}
