/** All findings in machine-readable form, in the format of `findingsFormat.ts`. */
import type { Finding } from '../../model/findings.ts';
import { findingsOf } from '../../model/issues/issues.ts';
import { MOST_ROOTS } from '../../model/issues/roots.ts';
import type { NotJudgedReason } from '../../model/scores.ts';
import type { CheckMeta, CheckOutcome } from '../checks/check.ts';
import type { Crawl } from '../crawl/site.ts';
import type { Score } from '../score.ts';
import { atOnce, type Pausable } from '../timeSlices.ts';
import { coverageText, pageCounts } from './coverage.ts';
import { FINDINGS_FORMAT, type FindingsDocument } from './findingsFormat.ts';
import { type ReportIssue, reportIssues } from './reportIssues.ts';

export type FindingsInput = {
  readonly url: string;
  readonly host: string;
  /** UTC ISO. */
  readonly generatedAt: string;
  /** Null if the site was not judged, or nothing could be read. */
  readonly score: Score | null;
  readonly notJudged?: NotJudgedReason | null;
  readonly crawl: Crawl;
  readonly findings: readonly Finding[];
  readonly outcomes: readonly CheckOutcome[];
  readonly checks: readonly CheckMeta[];
};

export function findingsJson(input: FindingsInput): string {
  return atOnce(writingFindings(input));
}

/** Pauses between list entries, because lists are long on large sites. */
export function* writingFindings(input: FindingsInput): Pausable<string> {
  const fields: string[] = [];
  for (const [key, value] of Object.entries(findingsDocument(input))) {
    const text = Array.isArray(value) ? yield* writingList(value) : indented(value, '  ');
    if (text !== undefined) fields.push(`  ${JSON.stringify(key)}: ${text}`);
  }
  return `{\n${fields.join(',\n')}\n}\n`;
}

function* writingList(items: readonly unknown[]): Pausable<string> {
  if (items.length === 0) return '[]';
  const lines: string[] = [];
  for (const item of items) {
    lines.push(`    ${indented(item, '    ') ?? 'null'}`);
    yield;
  }
  return `[\n${lines.join(',\n')}\n  ]`;
}

/**
 * Indents as part of a larger document. JSON strings contain no raw newlines, so each newline belongs to the layout.
 */
const indented = (value: unknown, by: string): string | undefined =>
  JSON.stringify(value, null, 2)?.replaceAll('\n', `\n${by}`);

type Settings = NonNullable<FindingsDocument['coverage']['settings']>;

export function findingsDocument(input: FindingsInput): FindingsDocument {
  const { url, host, generatedAt, score, notJudged = null, crawl, findings, outcomes } = input;
  const named = new Set(findings.map((finding) => finding.checkId));
  return {
    ...FINDINGS_FORMAT,
    url,
    host,
    generatedAt,
    score: score && (score as unknown as NonNullable<FindingsDocument['score']>),
    ...(notJudged === null ? {} : { notJudged }),
    coverage: {
      text: coverageText(crawl),
      stop: crawl.coverage.stop,
      notFetched: crawl.coverage.notFetched,
      traps: [...crawl.coverage.traps],
      ...(crawl.coverage.settings ? { settings: crawl.coverage.settings as Settings } : {}),
      ...(crawl.coverage.addresses ? { addresses: crawl.coverage.addresses } : {}),
      ...(crawl.coverage.untried ? { untried: [...crawl.coverage.untried] } : {}),
      pages: pageCounts(crawl),
    },
    pages: crawl.pages.map((page) => ({
      url: page.url,
      status: page.outcome.status,
      audited: page.facts !== null,
      ...(page.rendering?.done ? { rendered: true } : {}),
    })),
    tried: crawl.linkChecks.map((check) => check.url),
    issues: reportIssues(input).map(issueOf),
    findings: [...findings],
    outcomes: [...outcomes],
    checks: input.checks.filter((check) => named.has(check.id)).map(metaOf),
  };
}

function issueOf(issue: ReportIssue): NonNullable<FindingsDocument['issues']>[number] {
  const { check, title, category, impact, hint, points, minutes, where, pages, roots, joined } = issue;
  return {
    checkId: check.id,
    title,
    category,
    impact,
    optional: hint,
    points,
    minutes,
    where,
    pages: pages.length,
    findings: findingsOf(issue).length,
    roots: roots?.slice(0, MOST_ROOTS) ?? null,
    settles: joined.map((other) => other.check.id),
  };
}

/** A check's metadata without its functions. */
function metaOf(check: CheckMeta): FindingsDocument['checks'][number] {
  const {
    id,
    title,
    category,
    group,
    impact,
    difficulty,
    minutes,
    risk,
    gain,
    timeToResult,
    steps,
    example,
    tags,
    source,
    lighthouse,
    hint,
  } = check;
  const texts = { title, risk, gain, steps: [...steps], example, timeToResult, tags: [...tags], source };
  return { id, category, group, impact, difficulty, minutes, lighthouse, hint, ...texts };
}
