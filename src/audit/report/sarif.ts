/** SARIF 2.1.0, for the code-scanning views of CI services. Source: OASIS sarif-v2.1.0. */

import type { Finding, Impact } from '../../model/findings.ts';
import { NOT_JUDGED, NOT_JUDGED_TEXTS, type NotJudgedReason, SCORE_FORMULA } from '../../model/scores.ts';
import { plainSteps } from '../../model/wording.ts';
import type { CheckMeta } from '../checks/check.ts';
import { oneLine } from './markdown.ts';

const LEVELS: Readonly<Record<Impact, 'error' | 'warning' | 'note'>> = {
  high: 'error',
  medium: 'warning',
  low: 'note',
};

export type SarifInput = {
  readonly findings: readonly Finding[];
  readonly checks: readonly CheckMeta[];
  readonly version: string;
  /** Null if the site was not judged, or nothing could be read. */
  readonly score: { readonly value: number } | null;
  readonly notJudged?: NotJudgedReason | null;
};

/**
 * One rule per check that found something, one result per finding. The finding's id is the fingerprint, so that
 * services recognize it across audits.
 */
export function sarif({ findings, checks, version, score, notJudged = null }: SarifInput): string {
  const named = new Set(findings.map((finding) => finding.checkId));
  const rules = checks.filter((check) => named.has(check.id));
  const indexOf = new Map(rules.map((rule, index) => [rule.id, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'SEO Workbench', semanticVersion: version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        ...(notJudged === null ? {} : { invocations: [notJudgedInvocation(notJudged)] }),
        properties: {
          score: score?.value ?? null,
          ...(score === null ? {} : { scoreFormula: SCORE_FORMULA }),
          ...(notJudged === null ? {} : { notJudged }),
        },
        results: findings.map((finding) => resultOf(finding, indexOf.get(finding.checkId))),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** So that a run without results is not taken for one that found nothing. */
function notJudgedInvocation(reason: NotJudgedReason): object {
  return {
    executionSuccessful: true,
    toolExecutionNotifications: [
      {
        level: 'warning',
        descriptor: { id: `not-judged/${reason}` },
        message: { text: `${NOT_JUDGED}. ${NOT_JUDGED_TEXTS[reason]}` },
      },
    ],
  };
}

function ruleOf(check: CheckMeta): object {
  return {
    id: check.id,
    name: check.title,
    shortDescription: { text: check.title },
    fullDescription: { text: check.risk },
    help: { text: plainSteps(check.steps) },
    ...(/^https?:\/\//.test(check.source) ? { helpUri: check.source.split(/\s/)[0] } : {}),
    defaultConfiguration: { level: check.hint ? 'note' : LEVELS[check.impact] },
    properties: {
      category: check.category,
      difficulty: check.difficulty,
      minutes: check.minutes,
      tags: [...check.tags],
    },
  };
}

function resultOf(finding: Finding, ruleIndex: number | undefined): object {
  const { url, place, value } = finding.evidence;
  return {
    ruleId: finding.checkId,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: finding.hint ? 'note' : LEVELS[finding.impact],
    message: { text: `${oneLine(finding.message)} Seen at ${oneLine(place, 120)}: ${oneLine(value)}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: url } },
        logicalLocations: [{ fullyQualifiedName: oneLine(place, 300) }],
      },
    ],
    partialFingerprints: { 'findingId/v1': finding.id },
    properties: { category: finding.category, impact: finding.impact, hint: finding.hint },
  };
}
