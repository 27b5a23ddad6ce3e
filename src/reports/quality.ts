/**
 * Outcome of audits: scores of sites audited more than once and, for each check, how many items were completed, how
 * fast, and how many findings were fixed.
 */
import type { JobDeletionsEvent, JobEvent } from '../domain/job/events.ts';
import type { PlanEvent } from '../domain/plan/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import { ascending } from '../model/order.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { FIRST_FORMULA, wholeScore } from '../model/scores.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { type Item, type Items, itemsAfter, type Names } from './planItems.ts';
import type { Report, ReportParams } from './report.ts';

/** `site`: owner and host, so that sites of different users are kept apart. */
type Audit = { readonly site: string; readonly host: string };
type Score = { readonly jobId: string; readonly day: string; readonly score: number; readonly formula: number };

type State = {
  /** By job. */
  readonly audits: Map<string, Audit>;
  /** By site, in log order. */
  readonly scores: Map<string, { readonly host: string; readonly scores: Score[] }>;
  /** Items by job. */
  readonly plans: Map<string, Items>;
  /** Of the items and their checks. */
  readonly names: Names;
};

type QualityEvent = JobEvent | JobDeletionsEvent | PlanEvent;

const TYPES = [
  'JobSubmitted',
  'JobReportReady',
  'JobDeleted',
  'JobsDeleted',
  'PlanGenerated',
  'PlanExtended',
  'PlanRegenerated',
  'PlanDeleted',
  'ActionCompleted',
  'ActionStarted',
  'ActionReopened',
  'ActionSetBack',
  'ActionMoveUndone',
  'ActionNoted',
  'ActionRated',
  'ActionChosen',
  'ActionVerified',
] as readonly QualityEvent['type'][];

function evolve(state: State, event: Recorded<QualityEvent>): State {
  if (event.type === 'JobSubmitted') {
    const { jobId, userId, host } = event.data;
    state.audits.set(jobId, { site: `${userId} ${host}`, host });
  } else if (event.type === 'JobReportReady') {
    const { jobId, score, formula = FIRST_FORMULA } = event.data;
    // A site that was not judged has none.
    if (score !== null) scored(state, { jobId, day: event.metadata.at.slice(0, 10), score, formula });
  } else if (event.type === 'JobDeleted') forget(state, [event.data.jobId]);
  else if (event.type === 'JobsDeleted') forget(state, event.data.jobIds);
  else if ('jobId' in event.data) {
    const items = itemsAfter(state.plans.get(event.data.jobId) ?? new Map(), state.names, event as Recorded<PlanEvent>);
    if (items === null) state.plans.delete(event.data.jobId);
    else state.plans.set(event.data.jobId, items);
  }
  return state;
}

function scored({ audits, scores }: State, score: Score): void {
  const audit = audits.get(score.jobId);
  if (!audit) return;
  const site = scores.get(audit.site) ?? { host: audit.host, scores: [] };
  scores.set(audit.site, site);
  site.scores.push(score);
}

/** The submission of a deleted job stays in the log until its account is deleted. */
function forget({ audits, scores, plans }: State, jobIds: readonly string[]): void {
  for (const jobId of jobIds) {
    const site = audits.get(jobId)?.site ?? '';
    const known = scores.get(site);
    const left = known?.scores.filter((score) => score.jobId !== jobId) ?? [];
    if (known && left.length > 0) scores.set(site, { host: known.host, scores: left });
    else scores.delete(site);
    audits.delete(jobId);
    plans.delete(jobId);
  }
}

const SITES: readonly ReportColumn[] = [
  { key: 'host', label: 'Site', kind: 'text' },
  { key: 'audits', label: 'Audits', kind: 'count' },
  { key: 'before', label: 'First score', kind: 'count' },
  { key: 'after', label: 'Last score', kind: 'count' },
  { key: 'change', label: 'Change', kind: 'number' },
];
const MOST_SITES = 1_000;

type SiteRow = {
  readonly host: string;
  readonly audits: number;
  readonly before: number;
  readonly after: number;
  readonly change: number;
};

function sitesIn({ scores }: State, params: ReportParams): readonly SiteRow[] {
  return [...scores.values()].flatMap(({ host, scores: all }) => {
    const inRange = all.filter(({ day }) => isWithin(day, params));
    const last = inRange.at(-1);
    // Scores of different formulas say nothing about each other.
    const alike = inRange.filter(({ formula }) => formula === last?.formula);
    const [first] = alike;
    if (!first || !last || alike.length < 2) return [];
    const [before, after] = [wholeScore(first.score), wholeScore(last.score)];
    return [{ host, audits: alike.length, before, after, change: after - before }];
  });
}

function scoresOverTime({ scores }: State, params: ReportParams): readonly ReportRow[] {
  const steps = new Map<string, { audits: number; sum: number }>();
  for (const { scores: all } of scores.values()) {
    for (const { day, score } of all) {
      if (!isWithin(day, params)) continue;
      const step = stepOf(day, params.by);
      const sums = steps.get(step) ?? { audits: 0, sum: 0 };
      steps.set(step, { audits: sums.audits + 1, sum: sums.sum + score });
    }
  }
  return [...steps]
    .sort(([one], [other]) => ascending(one, other))
    .map(([step, { audits, sum }]) => ({ step, audits, score: sum / audits }));
}

function formulasIn({ scores }: State, params: ReportParams): number {
  const all = [...scores.values()].flatMap((site) => site.scores).filter(({ day }) => isWithin(day, params));
  return new Set(all.map(({ formula }) => formula)).size;
}

function checksIn({ plans, names }: State, params: ReportParams): readonly ReportRow[] {
  const checks = new Map<number, Item[]>();
  for (const items of plans.values()) {
    for (const item of items.values()) {
      if ((item.marked && !item.chosen) || !isWithin(item.at.slice(0, 10), params)) continue;
      const found = checks.get(item.check);
      if (found) found.push(item);
      else checks.set(item.check, [item]);
    }
  }
  const nameOf = [...names.keys()];
  return [...checks]
    .map(([check, items]) => checkRow(nameOf[check] ?? '', items))
    .sort((one, other) => Number(other.items) - Number(one.items));
}

function checkRow(check: string, items: readonly Item[]): ReportRow {
  const completed = items.filter(({ completedAt }) => completedAt !== null);
  const times = completed.map(({ at, completedAt }) => Math.max(0, Date.parse(completedAt ?? at) - Date.parse(at)));
  const verified = items.filter(({ looked }) => looked !== null);
  const sum = (field: 'fixed' | 'stillThere'): number =>
    verified.reduce((all, { looked }) => all + (looked?.[field] ?? 0), 0);
  return {
    check,
    items: items.length,
    completed: completed.length,
    share: completed.length / items.length,
    time: median(times),
    verified: verified.length,
    fixed: sum('fixed'),
    stillThere: sum('stillThere'),
  };
}

/** Null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}

function tables(state: State, params: ReportParams): readonly ReportTable[] {
  const sites = sitesIn(state, params);
  const mean = (field: 'before' | 'after' | 'change'): number | null =>
    sites.length === 0 ? null : sites.reduce((sum, site) => sum + site[field], 0) / sites.length;
  const count = (key: string, label: string): ReportColumn => ({ key, label, kind: 'count' });
  return [
    {
      name: 'sites',
      title: 'Sites audited several times',
      columns: [
        count('sites', 'Sites'),
        count('better', 'Better'),
        count('same', 'The same'),
        count('worse', 'Worse'),
      ].concat([
        { key: 'before', label: 'First score, mean', kind: 'number' },
        { key: 'after', label: 'Last score, mean', kind: 'number' },
        { key: 'change', label: 'Change, mean', kind: 'number' },
      ]),
      rows: [
        {
          sites: sites.length,
          better: sites.filter(({ change }) => change > 0).length,
          same: sites.filter(({ change }) => change === 0).length,
          worse: sites.filter(({ change }) => change < 0).length,
          before: mean('before'),
          after: mean('after'),
          change: mean('change'),
        },
      ],
      note: 'The first and the last audit in the range, of each user’s sites with two or more whose scores were calculated in the same way. Deleted audits and sites that were not scored are left out.',
    },
    {
      name: 'scores',
      title: 'Scores over time',
      columns: [
        { key: 'step', label: 'From', kind: 'date' },
        count('audits', 'Audits'),
        { key: 'score', label: 'Score, mean', kind: 'number' },
      ],
      rows: scoresOverTime(state, params),
      chart: { kind: 'line', x: 'step', series: ['score'] },
      ...(formulasIn(state, params) > 1
        ? {
            note: 'The score’s formula changed within the range: scores before and after say nothing about each other.',
          }
        : {}),
    },
    {
      name: 'by-site',
      title: 'Score before and after, by site',
      columns: SITES,
      rows: sites
        .toSorted((one, other) => other.change - one.change || ascending(one.host, other.host))
        .slice(0, MOST_SITES),
      ...(sites.length > MOST_SITES ? { note: `The ${MOST_SITES} that improved most.` } : {}),
    },
    {
      name: 'by-check',
      title: 'Completion and time to fix, by check',
      columns: [
        { key: 'check', label: 'Check', kind: 'text' },
        count('items', 'Action items'),
        count('completed', 'Completed'),
        { key: 'share', label: 'Share completed', kind: 'share' },
        { key: 'time', label: 'Time to fix, median', kind: 'duration' },
        count('verified', 'Verified'),
        count('fixed', 'Findings fixed'),
        count('stillThere', 'Findings still there'),
      ],
      rows: checksIn(state, params),
      note: 'Items of plans that were written in the range, as they stand now; optional ones count once they are tasks. The time to fix counts from the plan to the completion; findings are those of each item’s last verification.',
    },
  ];
}

export const quality: Report<State> = {
  name: 'quality',
  version: 4,
  lean: true,
  title: 'Audit quality',
  description:
    'How scores of sites changed between audits, and of each check how many items were completed, how soon, and what was fixed.',
  types: TYPES,
  initial: () => ({ audits: new Map(), scores: new Map(), plans: new Map(), names: new Map() }),
  evolve: (state, event) => evolve(state, event as Recorded<QualityEvent>),
  tables,
};
