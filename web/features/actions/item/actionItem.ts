/** An action item as the screens read it, with a default for every field the row omits or names differently. */
import type { ActionView } from '../../../../src/http/contract/actions.ts';

export type ActionStatus = ActionView['status'];

type Loose<T> = { readonly [Key in keyof T]?: T[Key] | string | null | undefined };

/** A row of the server, a shared view or an older export; only the id is guaranteed. */
export type RawAction = { readonly id: string } & Loose<
  Omit<ActionView, 'id' | 'optional' | 'tags' | 'pages' | 'evidence' | 'time_estimate' | 'last_verification'>
> & {
    readonly optional?: boolean | null | undefined;
    readonly tags?: readonly string[] | null | undefined;
    readonly pages?: readonly string[] | null | undefined;
    readonly evidence?: ActionView['evidence'] | null | undefined;
    readonly last_verification?: ActionView['last_verification'] | undefined;
    readonly time_estimate?: number | null | undefined;
    readonly timeEstimate?: number | null | undefined;
    readonly time_available?: number | null | undefined;
    readonly businessValue?: string | null | undefined;
    readonly timeToResult?: string | null | undefined;
    readonly action_name?: string | null | undefined;
    readonly implementation?: string | null | undefined;
  };

export interface ActionItem {
  readonly id: string;
  readonly title: string;
  /** schema, content, technical, social or tools; empty when unknown. */
  readonly category: string;
  /** high, medium or low; empty when unknown. */
  readonly impact: string;
  /** A suggestion rather than a task: it counts nowhere. */
  readonly optional: boolean;
  /** easy, medium or hard; empty when unknown. */
  readonly difficulty: string;
  readonly status: ActionStatus;
  /** 0 when unknown. */
  readonly minutes: number;
  readonly businessValue: string;
  readonly results: string;
  readonly reason: string;
  readonly problem: string;
  readonly solution: string;
  readonly code: string;
  readonly tags: readonly string[];
  readonly pages: readonly string[];
  readonly evidence: ActionView['evidence'];
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly notes: string;
  readonly rating: number | null;
  /** Result of the last recheck. */
  readonly verification: ActionView['last_verification'];
}

const known = new WeakMap<RawAction, ActionItem>();

/** Memoized by row, so that a card re-renders only when its row changes. */
export function itemOf(raw: RawAction): ActionItem {
  const found = known.get(raw);
  if (found) return found;
  const item = filledIn(raw);
  known.set(raw, item);
  return item;
}

function filledIn(raw: RawAction): ActionItem {
  const impact = lower(raw.impact);
  return {
    id: raw.id,
    title: first(raw.title, raw.action_name) || 'Untitled action',
    category: lower(raw.category),
    impact,
    optional: raw.optional === true,
    difficulty: lower(raw.difficulty),
    status: statusOf(raw.status),
    minutes: minutesOf(raw.time_estimate, raw.timeEstimate, raw.time_available),
    businessValue: first(raw.business_value, raw.businessValue),
    results: knownResults(first(raw.time_to_result, raw.timeToResult)) || resultsOf(impact),
    reason: first(raw.reason),
    problem: first(raw.problem),
    solution: first(raw.solution, raw.implementation),
    code: first(raw.code_example),
    tags: raw.tags ?? [],
    pages: raw.pages ?? [],
    evidence: raw.evidence ?? [],
    startedAt: first(raw.started_at) || null,
    completedAt: first(raw.completed_at) || null,
    notes: first(raw.notes),
    rating: typeof raw.effectiveness_rating === 'number' ? raw.effectiveness_rating : null,
    verification: raw.last_verification ?? null,
  };
}

const first = (...values: readonly unknown[]): string =>
  values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? '';
const lower = (value: unknown): string => first(value).trim().toLowerCase();

/** Missing, 'pending' and any unknown status count as todo. */
function statusOf(value: unknown): ActionStatus {
  const status = lower(value).replaceAll('_', '-');
  return status === 'in-progress' || status === 'completed' ? status : 'todo';
}

function minutesOf(...values: readonly unknown[]): number {
  const minutes =
    values.find((value): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0) ?? 0;
  return Math.round(minutes);
}

/** Search engines react first to what has most impact. */
const resultsOf = (impact: string): string => (impact === 'high' ? '2-4 weeks' : '4-6 weeks');

const knownResults = (text: string): string => (lower(text) === 'unknown' ? '' : text);

/** 'within 2-4 weeks', without repeating words that the row already has. */
export function resultsText(results: string): string {
  if (lower(results) === 'immediate') return 'immediately';
  return /^\d/.test(results) ? `within ${results}` : results;
}

const PERCENT: Readonly<Record<string, number>> = { high: 95, medium: 60, low: 30 };

/** Fill of the impact bar, in percent; null when the impact is unknown. */
export function impactPercent(impact: string): number | null {
  return PERCENT[impact] ?? null;
}
