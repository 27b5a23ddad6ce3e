import { ascending } from '../../model/order.ts';
/** Groups findings by cause: one check, on all pages where it found something. */

import type { Finding, Impact } from '../../model/findings.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import type { CheckMeta } from '../checks/check.ts';
import { plural } from '../checks/evidence.ts';

export type FindingGroup = {
  readonly check: CheckMeta;
  /** The highest impact among its findings. */
  readonly impact: Impact;
  /** All its findings are hints. */
  readonly hint: boolean;
  readonly findings: readonly Finding[];
  /** Distinct, in the order found. */
  readonly pages: readonly string[];
};

const RANK: Readonly<Record<Impact, number>> = { high: 0, medium: 1, low: 2 };

/** Highest impact first, hints last; findings of unknown checks are dropped. */
export function groupFindings(findings: readonly Finding[], checks: readonly CheckMeta[]): FindingGroup[] {
  const metas = new Map(checks.map((check) => [check.id, check]));
  const byCheck = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = byCheck.get(finding.checkId);
    if (group === undefined) byCheck.set(finding.checkId, [finding]);
    else group.push(finding);
  }
  const groups = [...byCheck].flatMap(([id, found]) => {
    const check = metas.get(id);
    return check === undefined ? [] : [groupOf(check, found)];
  });
  return groups.sort(compareGroups);
}

/** Formats the catalog's `1-3 weeks`, `immediate` or `unknown`. */
export function resultsWhen(timeToResult: string): string | null {
  if (timeToResult === '' || timeToResult === 'unknown') return null;
  return timeToResult === 'immediate' ? 'results at once' : `results in ${timeToResult}`;
}

/** Effort, difficulty and time to results of the fix. The estimate is for the first finding; further ones take less. */
export function workText({ check, findings }: Pick<FindingGroup, 'check' | 'findings'>): string {
  const first = findings.length > 1 ? ' for the first' : '';
  return [`about ${plural(check.minutes, 'minute')}${first}`, check.difficulty, resultsWhen(check.timeToResult)]
    .filter((part) => part !== null)
    .join(' · ');
}

function groupOf(check: CheckMeta, findings: readonly Finding[]): FindingGroup {
  const hint = findings.every((finding) => finding.hint);
  const counting = hint ? findings : findings.filter((finding) => !finding.hint);
  const impact = counting
    .map((finding) => finding.impact)
    .reduce((worst, next) => (RANK[next] < RANK[worst] ? next : worst));
  return { check, impact, hint, findings, pages: [...new Set(findings.map((finding) => finding.evidence.url))] };
}

function compareGroups(a: FindingGroup, b: FindingGroup): number {
  return (
    Number(a.hint) - Number(b.hint) ||
    RANK[a.impact] - RANK[b.impact] ||
    b.pages.length - a.pages.length ||
    ascending(a.check.id, b.check.id)
  );
}

/** One statement shared by findings of a cause, with the pages it applies to. */
export type Statement = { readonly finding: Finding; readonly pages: readonly string[] };

/** In the order found. Addresses that resolve to the same URL count as equal, however pages write them. */
export function statementsOf(findings: readonly Finding[]): readonly Statement[] {
  const statements = new Map<string, { finding: Finding; pages: Set<string> }>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const known = statements.get(key);
    if (known === undefined) statements.set(key, { finding, pages: new Set([finding.evidence.url]) });
    else known.pages.add(finding.evidence.url);
  }
  return [...statements.values()].map(({ finding, pages }) => ({ finding, pages: [...pages] }));
}

function keyOf({ message, evidence: { url, place, value } }: Finding): string {
  const quoted = quotedAddress(message, value, url);
  if (quoted === null) return [message, place, value].join('\n');
  return [...[message, place].map((text) => text.replaceAll(value, '')), quoted.href].join('\n');
}

/** Null if the value is no address that the message quotes. */
function quotedAddress(message: string, value: string, url: string): URL | null {
  return value !== '' && !/\s/.test(value) && message.includes(value) ? parseUrl(value, url) : null;
}

/**
 * `On all 40 pages, so it comes from what they share, such as a template: `; '' for a single page. Content texts are
 * assumed to be written per page.
 */
export function extentText({ finding, pages }: Statement, audited: number): string {
  if (pages.length < 2) return '';
  const all = pages.length >= audited && audited > 2;
  const where = all ? `On all ${plural(audited, 'page')}` : `On ${plural(pages.length, 'address', 'addresses')}`;
  const { category, message, evidence } = finding;
  const isText = category === 'content' && quotedAddress(message, evidence.value, evidence.url) === null;
  const shared = !isText && audited > 2 && pages.length >= MOSTLY * audited;
  return `${where}${shared ? ', so it comes from what they share, such as a template' : ''}: `;
}

/** From this share of pages on, a template is the likely source. */
const MOSTLY = 0.8;
