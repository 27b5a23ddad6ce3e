/** Findings gathered by their cause: one check, on all pages where it found something. */
import type { CheckMeta, Finding, Impact } from '../checks/check.ts';
import { plural } from '../checks/evidence.ts';

export type FindingGroup = {
  readonly check: CheckMeta;
  /** The worst of its findings. */
  readonly impact: Impact;
  /** Nothing but hints. */
  readonly hint: boolean;
  readonly findings: readonly Finding[];
  /** Distinct, in the order found. */
  readonly pages: readonly string[];
};

const RANK: Readonly<Record<Impact, number>> = { high: 0, medium: 1, low: 2 };

/** Worst first, hints last; a finding whose check is unknown is left out. */
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

/** The catalogue's `1-3 weeks`, `immediate` or `unknown`. */
export function resultsWhen(timeToResult: string): string | null {
  if (timeToResult === '' || timeToResult === 'unknown') return null;
  return timeToResult === 'immediate' ? 'results at once' : `results in ${timeToResult}`;
}

/** What the repair takes, how hard it is, and when it shows. Of several the others take less than the first. */
export function workText({ check, findings }: Pick<FindingGroup, 'check' | 'findings'>): string {
  const first = findings.length > 1 ? ' for the first' : '';
  return [`about ${plural(check.minutes, 'minute')}${first}`, check.difficulty, resultsWhen(check.timeToResult)].filter((part) => part !== null).join(' · ');
}

function groupOf(check: CheckMeta, findings: readonly Finding[]): FindingGroup {
  const hint = findings.every((finding) => finding.hint);
  const counting = hint ? findings : findings.filter((finding) => !finding.hint);
  const impact = counting.map((finding) => finding.impact).reduce((worst, next) => (RANK[next] < RANK[worst] ? next : worst));
  return { check, impact, hint, findings, pages: [...new Set(findings.map((finding) => finding.evidence.url))] };
}

function compareGroups(a: FindingGroup, b: FindingGroup): number {
  return Number(a.hint) - Number(b.hint) || RANK[a.impact] - RANK[b.impact] || b.pages.length - a.pages.length || (a.check.id < b.check.id ? -1 : 1);
}

/** The same is said of the same place on several pages, such as what a template lacks. */
export function saysOne(findings: readonly Finding[]): boolean {
  const [first] = findings;
  if (first === undefined || findings.length < 2) return false;
  const { message, evidence } = first;
  return findings.every((finding) => finding.message === message && finding.evidence.place === evidence.place && finding.evidence.value === evidence.value);
}
