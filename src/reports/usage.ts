/**
 * Product usage: audits, how they were paid for, pages, durations, who wrote the texts, and what language models cost.
 */
import type { AnalysisEvent, PaidFrom } from '../domain/billing/events.ts';
import type { JobEvent } from '../domain/job/events.ts';
import type { ReworkEvent } from '../domain/rework/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { addTo, type DailySums, dailySums, mergeSums, sumsBy } from './dailySums.ts';
import { addUse, type ModelUses, mergeUses, modelTables, modelUses } from './modelUses.ts';
import type { Report, ReportParams } from './report.ts';

type State = {
  readonly audits: DailySums<
    never,
    'submitted' | 'finished' | 'returned' | 'unlocked' | 'reports' | 'pages' | 'findings' | 'ended' | 'ms'
  >;
  readonly sources: DailySums<'from', 'taken' | 'returned'>;
  readonly texts: DailySums<'by', 'texts' | 'fallbacks'>;
  readonly models: ModelUses;
  /** When the last attempt of each running audit started, by job. */
  readonly running: Map<string, string>;
};

type UsageEvent = AnalysisEvent | JobEvent | Extract<ReworkEvent, { readonly type: 'ReworkModelAsked' }>;

const TYPES = [
  'AnalysisReserved',
  'AnalysisConsumed',
  'AnalysisReleased',
  'UnlockPaid',
  'UnlockReturned',
  'JobStarted',
  'JobReportReady',
  'JobSummaryWritten',
  'JobCompleted',
  'JobPartiallyCompleted',
  'JobPartiallySucceeded',
  'JobFailed',
  'JobCancelled',
  'ModelAsked',
  'ReworkModelAsked',
] as readonly UsageEvent['type'][];

function evolve(state: State, event: Recorded<UsageEvent>): State {
  const { audits, sources, texts, running } = state;
  const { at } = event.metadata;
  switch (event.type) {
    case 'AnalysisReserved':
      addTo(audits, at, {}, { submitted: 1 });
      addTo(sources, at, { from: event.data.from }, { taken: 1 });
      break;
    case 'AnalysisConsumed':
      addTo(audits, at, {}, { finished: 1 });
      break;
    case 'AnalysisReleased':
      addTo(audits, at, {}, { returned: 1 });
      // Old events do not say what was returned; there was only one source then.
      addTo(sources, at, { from: event.data.from ?? 'free_allowance' }, { returned: 1 });
      break;
    case 'UnlockPaid':
      addTo(audits, at, {}, { unlocked: 1 });
      addTo(sources, at, { from: event.data.from }, { taken: 1 });
      break;
    case 'UnlockReturned':
      addTo(audits, at, {}, { unlocked: -1 });
      addTo(sources, at, { from: event.data.from }, { returned: 1 });
      break;
    case 'JobStarted':
      running.set(event.data.jobId, at);
      break;
    case 'JobReportReady':
      addTo(audits, at, {}, { reports: 1, pages: event.data.pagesAudited, findings: event.data.findings });
      break;
    case 'JobSummaryWritten':
      addTo(texts, at, { by: event.data.by }, { texts: 1, fallbacks: event.data.fallback ? 1 : 0 });
      break;
    case 'JobCompleted':
    case 'JobPartiallyCompleted':
    case 'JobPartiallySucceeded':
      ended(state, event.data.jobId, at);
      break;
    case 'ModelAsked':
    case 'ReworkModelAsked':
      addUse(state.models, at, event.data);
      break;
    default:
      if ('jobId' in event.data) running.delete(event.data.jobId);
  }
  return state;
}

function ended({ audits, running }: State, jobId: string, at: string): void {
  const began = running.get(jobId);
  running.delete(jobId);
  if (began !== undefined) addTo(audits, at, {}, { ended: 1, ms: Math.max(0, Date.parse(at) - Date.parse(began)) });
}

/** The start and the end of an audit are in one stream; all else are sums. */
function merge(one: State, other: State): State {
  for (const [jobId, at] of other.running) one.running.set(jobId, at);
  return {
    audits: mergeSums(one.audits, other.audits),
    sources: mergeSums(one.sources, other.sources),
    texts: mergeSums(one.texts, other.texts),
    models: mergeUses(one.models, other.models),
    running: one.running,
  };
}

const SOURCES: Readonly<Record<PaidFrom, string>> = {
  admin: 'Admin, free of charge',
  plan: 'Plan',
  credits: 'Credits',
  funds: 'Funds',
  free_allowance: 'Free allowance',
};

const count = (key: string, label: string): ReportColumn => ({ key, label, kind: 'count' });
const per = (sum: number, of: number): number | null => (of === 0 ? null : sum / of);

function overTime(row: ReportRow & Readonly<Record<'reports' | 'pages' | 'ended' | 'ms', number>>): ReportRow {
  return { ...row, pagesEach: per(row.pages, row.reports), msEach: per(row.ms, row.ended) };
}

function tables(state: State, params: ReportParams): readonly ReportTable[] {
  return [
    {
      name: 'over-time',
      title: 'Audits over time',
      columns: [
        { key: 'step', label: 'From', kind: 'date' },
        count('submitted', 'Submitted'),
        count('finished', 'Finished'),
        count('returned', 'Given back'),
        count('unlocked', 'Unlocked'),
        count('pages', 'Pages'),
        count('findings', 'Findings'),
        { key: 'pagesEach', label: 'Pages an audit', kind: 'number' },
        { key: 'msEach', label: 'Time an audit', kind: 'duration' },
      ],
      rows: sumsBy(state.audits, params, ['step']).map(overTime),
      note: 'Audits are counted by the bills, which stay when an account is deleted. Pages, findings and times are of accounts that are still there.',
      chart: { kind: 'bar', x: 'step', series: ['submitted', 'finished'] },
    },
    {
      name: 'by-source',
      title: 'What paid for audits',
      columns: [
        { key: 'from', label: 'Source', kind: 'text' },
        count('taken', 'Taken'),
        count('returned', 'Given back'),
        count('kept', 'Kept'),
      ],
      rows: sumsBy(state.sources, params, ['from']).map((row) => ({
        ...row,
        from: SOURCES[(row as ReportRow).from as PaidFrom],
        kept: row.taken - row.returned,
      })),
      chart: { kind: 'bar', x: 'from', series: ['kept'] },
    },
    {
      name: 'texts',
      title: 'Who wrote the summaries',
      columns: [
        { key: 'by', label: 'Written by', kind: 'text' },
        count('texts', 'Summaries'),
        count('fallbacks', 'In place of a model that failed'),
        { key: 'share', label: 'Share that fell back', kind: 'share' },
      ],
      rows: sumsBy(state.texts, params, ['by']).map((row) => ({ ...row, share: per(row.fallbacks, row.texts) })),
    },
    ...modelTables(state.models, params),
  ];
}

export const usage: Report<State> = {
  name: 'usage',
  version: 1,
  lean: true,
  title: 'Usage',
  description:
    'How many audits were submitted and finished, what paid for them, how many pages they looked at, how long they took, and what language models cost.',
  types: TYPES,
  initial: () => ({
    audits: dailySums(
      [],
      ['submitted', 'finished', 'returned', 'unlocked', 'reports', 'pages', 'findings', 'ended', 'ms'],
    ),
    sources: dailySums(['from'], ['taken', 'returned']),
    texts: dailySums(['by'], ['texts', 'fallbacks']),
    models: modelUses(),
    running: new Map(),
  }),
  evolve: (state, event) => evolve(state, event as Recorded<UsageEvent>),
  merge,
  tables,
};
