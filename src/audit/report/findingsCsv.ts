/** One row per finding, for spreadsheets. Cells that could be read as formulas are escaped. */

import { stringify } from 'csv-stringify/sync';
import type { Finding } from '../../model/findings.ts';
import { plainSteps } from '../../model/wording.ts';
import type { CheckMeta } from '../checks/check.ts';
import { cell } from './pagesCsv.ts';

export function findingsCsv(findings: readonly Finding[], checks: readonly CheckMeta[]): string {
  const metas = new Map(checks.map((check) => [check.id, check]));
  return stringify(
    findings.map((finding) => rowOf(finding, metas.get(finding.checkId))),
    { header: true, escape_formulas: true, record_delimiter: 'windows', columns: COLUMNS },
  );
}

const COLUMNS = [
  'id',
  'check',
  'title',
  'category',
  'impact',
  'hint',
  'url',
  'place',
  'value',
  'message',
  'difficulty',
  'minutes',
  'steps',
  'root_kind',
  'root',
];

function rowOf(finding: Finding, check: CheckMeta | undefined): Record<string, string | number> {
  const { evidence } = finding;
  return {
    id: finding.id,
    check: finding.checkId,
    title: check?.title ?? '',
    category: finding.category,
    impact: finding.impact,
    hint: finding.hint ? 'yes' : 'no',
    url: cell(evidence.url),
    place: cell(evidence.place),
    value: cell(evidence.value),
    message: cell(finding.message),
    difficulty: check?.difficulty ?? '',
    minutes: check?.minutes ?? '',
    steps: plainSteps(check?.steps ?? []),
    root_kind: finding.root?.kind ?? '',
    root: cell(finding.root?.name ?? ''),
  };
}
