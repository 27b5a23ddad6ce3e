/** Optimistic changes, laid over the server's rows until it confirms them. */
import type { ActionView } from '../../../src/http/contract/actions.ts';

export type Change = Partial<
  Pick<ActionView, 'status' | 'started_at' | 'completed_at' | 'notes' | 'effectiveness_rating' | 'optional'>
>;

export interface PendingChange {
  readonly key: number;
  readonly actionId: string;
  readonly change: Change;
  /** When the server confirmed it, in ms since the epoch; responses to earlier requests may not include it. */
  readonly confirmedAt: number | null;
}

/** A row without a pending change keeps its identity. */
export function withPending(actions: readonly ActionView[], pending: readonly PendingChange[]): readonly ActionView[] {
  if (pending.length === 0) return actions;
  return actions.map((action) => {
    const changes = pending.filter((each) => each.actionId === action.id);
    return changes.length === 0 ? action : Object.assign({}, action, ...changes.map((each) => each.change));
  });
}

/** Changes that the response to a request sent at this time may not include. */
export function stillPending(pending: readonly PendingChange[], askedAt: number): readonly PendingChange[] {
  const left = pending.filter((each) => each.confirmedAt === null || each.confirmedAt > askedAt);
  return left.length === pending.length ? pending : left;
}

/** What the server is going to return: working on an optional item makes it a task. `now` is UTC ISO. */
export function statusChange(status: ActionView['status'], now: string): Change {
  if (status === 'todo') return { status, optional: false, started_at: null, completed_at: null };
  return status === 'completed'
    ? { status, optional: false, completed_at: now }
    : { status, optional: false, started_at: now, completed_at: null };
}

const LIVE_FIELDS = [
  'status',
  'optional',
  'started_at',
  'completed_at',
  'notes',
  'effectiveness_rating',
  'last_verification',
  'previous_status',
] as const satisfies readonly (keyof ActionView)[];

/** The fields that a live row changes in the row shown. */
export function patchOf(
  row: Readonly<Record<string, unknown>>,
): Partial<Pick<ActionView, (typeof LIVE_FIELDS)[number]>> {
  return Object.fromEntries(LIVE_FIELDS.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]));
}
