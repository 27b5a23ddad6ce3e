/** What shared links lead to: how often they were opened, and the sign-ups and purchases that followed. */
import { isOf } from '../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import type { ShareMode } from '../model/shares.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { stepsOver } from './groups.ts';
import { isPurchase, PURCHASES } from './purchases.ts';
import type { Report, ReportParams } from './report.ts';

const FIELDS = ['made', 'opened', 'viewed', 'pressed', 'signedUp', 'purchased'] as const;
type Field = (typeof FIELDS)[number];
type Counts = Record<Field, number>;

type Link = {
  readonly jobId: string;
  readonly mode: ShareMode;
  readonly tokenHash: string;
  readonly days: Map<string, Counts>;
};

type PreviewsState = {
  readonly links: Map<string, Link>;
  readonly byToken: Map<string, Link>;
  readonly byJob: Map<string, string[]>;
  /** Accounts that signed up through a link and have not bought anything yet. */
  readonly mayBuy: Map<string, Link>;
};

const VISITS = {
  ShareViewed: 'opened',
  SharePreviewViewed: 'viewed',
  ShareSignUpClicked: 'pressed',
  ShareSignedUp: 'signedUp',
} as const satisfies Record<string, Field>;

export const previews: Report<PreviewsState> = {
  name: 'previews',
  version: 1,
  lean: true,
  title: 'Shared links and previews',
  description: 'How often shared links were opened, and how many visitors of previews signed up and bought.',
  types: [
    'ShareCreated',
    ...Object.keys(VISITS),
    'AccountRegistered',
    'AccountDeleted',
    'JobDeleted',
    'JobsDeleted',
    ...PURCHASES,
  ],
  initial: () => ({ links: new Map(), byToken: new Map(), byJob: new Map(), mayBuy: new Map() }),
  evolve,
  tables: ({ links }, params) => [kindsTable([...links.values()], params), periodsTable([...links.values()], params)],
};

function evolve(state: PreviewsState, event: RecordedEvent): PreviewsState {
  if (isOf(event, 'ShareCreated')) made(state, event.data);
  else if (isOf(event, 'ShareViewed', 'SharePreviewViewed', 'ShareSignUpClicked', 'ShareSignedUp')) {
    add(state.links.get(event.data.shareId), event.data.until, VISITS[event.type], event.data.count);
  } else if (isOf(event, 'AccountRegistered')) {
    const link = state.byToken.get(event.data.campaign?.contentHash ?? '');
    if (link) state.mayBuy.set(event.data.userId, link);
  } else if (isPurchase(event)) {
    const { userId } = event.data;
    add(state.mayBuy.get(userId), event.metadata.at, 'purchased', 1);
    state.mayBuy.delete(userId);
  } else if (isOf(event, 'AccountDeleted')) state.mayBuy.delete(event.data.userId);
  else if (isOf(event, 'JobDeleted')) forget(state, [event.data.jobId]);
  else if (isOf(event, 'JobsDeleted')) forget(state, event.data.jobIds);
  return state;
}

type Made = {
  readonly jobId: string;
  readonly shareId: string;
  readonly mode: ShareMode;
  readonly tokenHash: string;
  readonly createdAt: string;
};

function made({ links, byToken, byJob }: PreviewsState, { jobId, shareId, mode, tokenHash, createdAt }: Made): void {
  const link: Link = { jobId, mode, tokenHash, days: new Map() };
  links.set(shareId, link);
  byToken.set(tokenHash, link);
  byJob.set(jobId, [...(byJob.get(jobId) ?? []), shareId]);
  add(link, createdAt, 'made', 1);
}

/** Links erased with their job are no longer counted. */
function forget({ links, byToken, byJob }: PreviewsState, jobIds: readonly string[]): void {
  for (const jobId of jobIds) {
    for (const shareId of byJob.get(jobId) ?? []) {
      byToken.delete(links.get(shareId)?.tokenHash ?? '');
      links.delete(shareId);
    }
    byJob.delete(jobId);
  }
}

const nothing = (): Counts => ({ made: 0, opened: 0, viewed: 0, pressed: 0, signedUp: 0, purchased: 0 });

function add(link: Link | undefined, at: string, field: Field, count: number): void {
  if (!link) return;
  const day = at.slice(0, 10);
  const counts = link.days.get(day) ?? nothing();
  counts[field] += count;
  link.days.set(day, counts);
}

/** Sums over the days in the range, by group. */
function sumsBy(
  links: readonly Link[],
  params: ReportParams,
  groupOf: (link: Link, day: string) => string,
): ReadonlyMap<string, Counts> {
  const sums = new Map<string, Counts>();
  for (const link of links) {
    for (const [day, counts] of link.days) {
      if (!isWithin(day, params)) continue;
      const group = groupOf(link, day);
      const sum = sums.get(group) ?? nothing();
      for (const field of FIELDS) sum[field] += counts[field];
      sums.set(group, sum);
    }
  }
  return sums;
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const COLUMNS: readonly ReportColumn[] = [
  { key: 'made', label: 'Links made', kind: 'count' },
  { key: 'opened', label: 'Opened', kind: 'count' },
  { key: 'viewed', label: 'Previews viewed', kind: 'count' },
  { key: 'pressed', label: 'Sign-up pressed', kind: 'count' },
  { key: 'signedUp', label: 'Signed up', kind: 'count' },
  { key: 'purchased', label: 'First purchase', kind: 'count' },
  { key: 'conversion', label: 'Signed up of opened', kind: 'share' },
];

const rowOf = (counts: Counts): ReportRow => ({ ...counts, conversion: shareOf(counts.signedUp, counts.opened) });

const KINDS: readonly (readonly [ShareMode, string])[] = [
  ['preview', 'Previews'],
  ['full', 'Full reports'],
];

function kindsTable(links: readonly Link[], params: ReportParams): ReportTable {
  const sums = sumsBy(links, params, ({ mode }) => mode);
  return {
    name: 'by-kind',
    title: 'Shared links and what came of them',
    columns: [{ key: 'kind', label: 'Link to', kind: 'text' }, ...COLUMNS],
    rows: KINDS.flatMap(([mode, kind]): ReportRow[] => {
      const counts = sums.get(mode);
      return counts ? [{ kind, ...rowOf(counts) }] : [];
    }),
    note: 'By the day on which it happened. A visitor counts once a day and link. Only previews have a sign-up button. First purchase: of accounts that signed up from a link. Links to deleted audits are not counted.',
    chart: { kind: 'bar', x: 'kind', series: ['opened', 'pressed', 'signedUp', 'purchased'] },
  };
}

function periodsTable(links: readonly Link[], params: ReportParams): ReportTable {
  const sums = sumsBy(links, params, (_, day) => stepOf(day, params.by));
  return {
    name: 'by-period',
    title: `Shared links by ${params.by}`,
    columns: [{ key: 'period', label: 'From', kind: 'date' }, ...COLUMNS],
    rows: stepsOver(sums.keys(), params.by).map((period) => ({ period, ...rowOf(sums.get(period) ?? nothing()) })),
    chart: { kind: 'line', x: 'period', series: ['opened', 'pressed', 'signedUp'] },
  };
}
