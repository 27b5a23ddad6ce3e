/** Language model requests and what they took: over time, by model and text, and by audit. Part of the usage report. */

import type { ModelUse } from '../domain/modelUse.ts';
import { TEXT_OF } from '../model/modelUse.ts';
import type { PromptKey } from '../model/prompts/prompt.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { addTo, type DailySums, dailySums, mergeSums, sumsBy } from './dailySums.ts';
import { groupedBy } from './groups.ts';
import type { ReportParams } from './report.ts';

/** `counted`, `priced`: number of requests with known tokens and known cost. */
const FIELDS = ['asked', 'used', 'counted', 'inputTokens', 'outputTokens', 'priced', 'costMicros', 'ms'] as const;
type Field = (typeof FIELDS)[number];
type Sums = Readonly<Record<Field, number>>;

export type ModelUses = {
  readonly byModel: DailySums<'model' | 'key', Field>;
  readonly byJob: DailySums<'jobId', Field>;
};

/** Without any uses yet. */
export function modelUses(): ModelUses {
  return { byModel: dailySums(['model', 'key'], FIELDS), byJob: dailySums(['jobId'], FIELDS) };
}

/** Adds a use reported at `at` (UTC ISO). */
export function addUse({ byModel, byJob }: ModelUses, at: string, use: ModelUse & { readonly jobId: string }): void {
  const { key, model, jobId, inputTokens, outputTokens, costMicros, ms, used } = use;
  const sums: Sums = {
    asked: 1,
    used: used ? 1 : 0,
    ms,
    counted: inputTokens === null && outputTokens === null ? 0 : 1,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    priced: costMicros === null ? 0 : 1,
    costMicros: costMicros ?? 0,
  };
  addTo(byModel, at, { model, key }, sums);
  addTo(byJob, at, { jobId }, sums);
}

/** Changes the given uses. */
export function mergeUses(one: ModelUses, other: ModelUses): ModelUses {
  return { byModel: mergeSums(one.byModel, other.byModel), byJob: mergeSums(one.byJob, other.byJob) };
}

const COLUMNS: readonly ReportColumn[] = [
  { key: 'asked', label: 'Texts asked for', kind: 'count' },
  { key: 'inputTokens', label: 'Tokens in', kind: 'count' },
  { key: 'outputTokens', label: 'Tokens out', kind: 'count' },
  { key: 'cost', label: 'Cost', kind: 'cost' },
];

/** Null where unknown. */
function took({ asked, counted, inputTokens, outputTokens, priced, costMicros }: Sums): ReportRow {
  return {
    asked,
    inputTokens: counted === 0 ? null : inputTokens,
    outputTokens: counted === 0 ? null : outputTokens,
    cost: priced === 0 ? null : costMicros,
  };
}

const MOST_LISTED = 1_000;
const NOTE =
  'Tokens as the endpoint counts them; costs where `LLM_INPUT_PRICE` and `LLM_OUTPUT_PRICE` were set at that time. Of texts since these were recorded, of accounts that are still there; prompts that admins try are not among them.';

export function modelTables(uses: ModelUses, params: ReportParams): readonly ReportTable[] {
  const audits = sumsBy(uses.byJob, params, ['jobId']);
  return [
    {
      name: 'models-over-time',
      title: 'What language models cost',
      columns: [
        { key: 'step', label: 'From', kind: 'date' },
        { key: 'audits', label: 'Audits', kind: 'count' },
        ...COLUMNS,
        { key: 'costEach', label: 'Cost an audit', kind: 'cost' },
      ],
      rows: overTime(uses, params),
      note: NOTE,
      chart: { kind: 'bar', x: 'step', series: ['inputTokens', 'outputTokens'] },
    },
    {
      name: 'models',
      title: 'Language models',
      columns: [
        { key: 'model', label: 'Model', kind: 'text' },
        { key: 'text', label: 'Text', kind: 'text' },
        ...COLUMNS,
        { key: 'share', label: 'Share that was used', kind: 'share' },
        { key: 'msEach', label: 'Time a text', kind: 'duration' },
      ],
      rows: sumsBy(uses.byModel, params, ['model', 'key']).map(byModel),
      note: 'What was not used was not to be had, or said what no finding says: the built-in rules wrote those texts, and the tokens were spent all the same.',
    },
    {
      name: 'models-by-audit',
      title: 'What the texts of an audit cost',
      columns: [
        { key: 'jobId', label: 'Job', kind: 'text' },
        ...COLUMNS,
        { key: 'ms', label: 'Time', kind: 'duration' },
      ],
      rows: audits
        .toSorted((one, other) => other.costMicros - one.costMicros || tokensOf(other) - tokensOf(one))
        .slice(0, MOST_LISTED)
        .map((row) => ({ jobId: (row as ReportRow).jobId ?? null, ...took(row), ms: row.ms })),
      ...(audits.length > MOST_LISTED ? { note: `The ${MOST_LISTED} that cost most, of ${audits.length}.` } : {}),
    },
  ];
}

const tokensOf = ({ inputTokens, outputTokens }: Sums): number => inputTokens + outputTokens;

function byModel(row: ReportRow & Sums): ReportRow {
  const { model = null, key } = row as ReportRow;
  return {
    model,
    text: TEXT_OF[key as PromptKey],
    ...took(row),
    share: row.used / row.asked,
    msEach: row.ms / row.asked,
  };
}

/** An audit counts in each step in which it made a model request. */
function overTime({ byJob }: ModelUses, params: ReportParams): readonly ReportRow[] {
  const audits = groupedBy(sumsBy(byJob, params, ['step', 'jobId']), stepIn);
  return sumsBy(byJob, params, ['step']).map((row) => {
    const ofStep = audits.get(stepIn(row)) ?? [];
    const priced = ofStep.filter((each) => each.priced > 0).length;
    return {
      step: stepIn(row),
      audits: ofStep.length,
      ...took(row),
      costEach: priced === 0 ? null : Math.round(row.costMicros / priced),
    };
  });
}

const stepIn = (row: ReportRow): string => String(row.step);
