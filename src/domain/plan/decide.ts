/**
 * Commands of the action items: each is todo, in-progress or completed, and has its owner's notes, rating and last
 * verification.
 */
import { type ActionStatus, isMarkedOptional } from '../../model/actions.ts';
import { MAX_NOTES, MAX_RATING } from '../../model/limits.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { MAX_PART_BYTES } from '../report/events.ts';
import type { ActionItem, PlanEvent, Verification, VerifiedFinding } from './events.ts';
import { bytesOf, evolve, initialState, type PlanState, progressOf } from './plan.ts';
import type { Progress } from './progress.ts';

type NewPlan = {
  readonly jobId: string;
  readonly userId: string;
  readonly by: string;
  readonly items: readonly ActionItem[];
  readonly at: string;
};

/** `at` is the time of the command, UTC ISO. */
export type PlanCommand =
  | ({ readonly type: 'GeneratePlan' } & NewPlan)
  | ({ readonly type: 'RegeneratePlan' } & NewPlan)
  /**
   * Absent fields stay unchanged. The usual order is todo, in-progress, completed and back to todo; the board and its
   * shortcuts can move items directly.
   */
  | {
      readonly type: 'ChangeAction';
      readonly actionId: string;
      readonly status?: ActionStatus;
      readonly notes?: string | null;
      readonly rating?: number | null;
      /** False makes an optional item a task; true takes that back. */
      readonly optional?: boolean;
      readonly at: string;
    }
  | { readonly type: 'UndoMove'; readonly actionId: string; readonly at: string }
  | {
      readonly type: 'RecordVerification';
      readonly actionId: string;
      readonly verification: Verification;
      readonly results?: readonly VerifiedFinding[];
      readonly at: string;
    }
  | { readonly type: 'DeletePlan'; readonly at: string };

type Command<Type extends PlanCommand['type']> = Extract<PlanCommand, { readonly type: Type }>;
type Planned = Pick<Command<'ChangeAction'>, 'actionId' | 'at'>;

function decide(command: PlanCommand, state: PlanState): readonly PlanEvent[] {
  switch (command.type) {
    case 'GeneratePlan':
      // A plan is generated once: repeating the step after a crash keeps the existing items.
      return state.status === 'generated' ? [] : generate(command, state);
    case 'RegeneratePlan':
      return generate(command, state);
    case 'ChangeAction':
      return change(command, state);
    case 'UndoMove':
      return undo(command, state);
    case 'RecordVerification':
      return verified(command, state);
    case 'DeletePlan':
      return state.status === 'generated'
        ? [{ type: 'PlanDeleted', data: { jobId: state.jobId, deletedAt: command.at } }]
        : [];
    default:
      return unreachable(command);
  }
}

/** Kept early: an event may be a note of thousands of characters. */
const KEPT_FROM = 20;

export const planDecider: Decider<PlanState, PlanCommand, PlanEvent> = {
  initialState,
  evolve,
  decide,
  keptFrom: KEPT_FROM,
  keptBytes: bytesOf,
};

function generate({ jobId, userId, by, items, at }: NewPlan, state: PlanState): readonly PlanEvent[] {
  if (state.status === 'deleted') throw new DomainError('PLAN_DELETED', 'The audit has been deleted.');
  if (new Set(items.map((item) => item.id)).size < items.length)
    throw new DomainError('ACTION_ID_TWICE', 'Two action items have the same id.');
  const count = items.length;
  const kept = state.status === 'generated' ? keptOf(state, items) : null;
  const [first = [], ...more] = chunksOf(items, ROOM + sizeOf(kept));
  return [
    kept
      ? { type: 'PlanRegenerated', data: { jobId, by, count, items: first, kept, regeneratedAt: at } }
      : { type: 'PlanGenerated', data: { jobId, userId, by, count, items: first, generatedAt: at } },
    ...more.map((chunk) => ({ type: 'PlanExtended' as const, data: { jobId, items: chunk } })),
  ];
}

type Generated = Extract<PlanState, { readonly status: 'generated' }>;

/** A new item continues the earlier item with the same id, otherwise the one with the same check and pages. */
function keptOf(state: Generated, items: readonly ActionItem[]): Readonly<Record<string, string>> {
  const ids = new Set(items.map((item) => item.id));
  const touched = state.items.filter((item) => Object.hasOwn(state.progress, item.id));
  const left = touched.filter((item) => !ids.has(item.id));
  return Object.fromEntries(
    items.flatMap((item): [string, string][] => {
      const earlier = touched.find(({ id }) => id === item.id) ?? left.find((other) => sameSubject(other, item));
      if (!earlier) return [];
      if (left.includes(earlier)) left.splice(left.indexOf(earlier), 1);
      return [[item.id, earlier.id]];
    }),
  );
}

function sameSubject(a: ActionItem, b: ActionItem): boolean {
  return a.checkId === b.checkId && JSON.stringify([...a.pages].sort()) === JSON.stringify([...b.pages].sort());
}

/** @throws DomainError ACTION_NOT_FOUND */
function planned(
  { actionId }: Pick<Planned, 'actionId'>,
  state: PlanState,
): { readonly jobId: string; readonly item: ActionItem; readonly progress: Progress } {
  const item = state.status === 'generated' ? state.items.find(({ id }) => id === actionId) : undefined;
  if (state.status !== 'generated' || !item) throw new DomainError('ACTION_NOT_FOUND', 'There is no such action item.');
  return { jobId: state.jobId, item, progress: progressOf(state, actionId) };
}

function change(command: Command<'ChangeAction'>, state: PlanState): readonly PlanEvent[] {
  const { actionId, status, notes, rating, optional, at } = command;
  const { jobId, item, progress } = planned(command, state);
  if (typeof notes === 'string' && notes.length > MAX_NOTES) {
    throw new DomainError('NOTES_TOO_LONG', `Notes may have ${MAX_NOTES.toLocaleString('en')} characters at most.`);
  }
  if (typeof rating === 'number' && !(Number.isInteger(rating) && rating >= 1 && rating <= MAX_RATING)) {
    throw new DomainError('RATING_OUT_OF_RANGE', `A rating is a whole number from 1 to ${MAX_RATING}.`);
  }
  const next = {
    status: status ?? progress.status,
    notes: notes === undefined ? progress.notes : withText(notes),
    rating: rating === undefined ? progress.rating : rating,
  };
  const chosen = optional === undefined || !isMarkedOptional(item) ? null : !optional;
  if (optional === true && (chosen === null || next.status !== 'todo'))
    throw new DomainError('NOT_OPTIONAL', 'Only an optional task that is not under way can be made optional again.');
  return [
    ...(next.status === progress.status ? [] : [moveTo(next.status, progress.status, { jobId, actionId, at })]),
    ...(next.notes === progress.notes
      ? []
      : [{ type: 'ActionNoted' as const, data: { jobId, actionId, notes: next.notes, notedAt: at } }]),
    ...(next.rating === progress.rating
      ? []
      : [{ type: 'ActionRated' as const, data: { jobId, actionId, rating: next.rating, ratedAt: at } }]),
    ...(chosen === null || chosen === progress.chosen
      ? []
      : [{ type: 'ActionChosen' as const, data: { jobId, actionId, chosen, chosenAt: at } }]),
  ];
}

const withText = (notes: string | null): string | null => (notes?.trim() === '' ? null : notes);

function moveTo(
  to: ActionStatus,
  from: ActionStatus,
  { jobId, actionId, at }: Planned & { readonly jobId: string },
): PlanEvent {
  if (to === 'completed') return { type: 'ActionCompleted', data: { jobId, actionId, completedAt: at } };
  if (to === 'todo' && from === 'completed')
    return { type: 'ActionReopened', data: { jobId, actionId, reopenedAt: at } };
  if (to === 'in-progress' && from === 'todo')
    return { type: 'ActionStarted', data: { jobId, actionId, startedAt: at } };
  return { type: 'ActionSetBack', data: { jobId, actionId, to, setBackAt: at } };
}

function undo(command: Command<'UndoMove'>, state: PlanState): readonly PlanEvent[] {
  const { actionId, at } = command;
  const { jobId, progress } = planned(command, state);
  if (progress.before === null)
    throw new DomainError('NOTHING_TO_UNDO', 'There is no move of this action item to undo.');
  return [{ type: 'ActionMoveUndone', data: { jobId, actionId, ...progress.before, undoneAt: at } }];
}

/** A fixed item is completed, whatever its status was. */
function verified(command: Command<'RecordVerification'>, state: PlanState): readonly PlanEvent[] {
  const { actionId, verification, results, at } = command;
  const { jobId, progress } = planned(command, state);
  const done = verification.outcome === 'fixed' && progress.status !== 'completed';
  return [
    {
      type: 'ActionVerified',
      data: { jobId, actionId, ...verification, ...(results ? { results: firstOf(results) } : {}), verifiedAt: at },
    },
    ...(done ? [{ type: 'ActionCompleted' as const, data: { jobId, actionId, completedAt: at } }] : []),
  ];
}

const MAX_RESULTS = 200;

/** As many results as fit into an event. */
function firstOf(results: readonly VerifiedFinding[]): readonly VerifiedFinding[] {
  let bytes = ROOM;
  const first = results.slice(0, MAX_RESULTS);
  const end = first.findIndex((result) => {
    bytes += sizeOf(result) + 1;
    return bytes > MAX_PART_BYTES;
  });
  return end < 0 ? first : first.slice(0, end);
}

/** Splits items into chunks that each fit into an event. */
function chunksOf(items: readonly ActionItem[], room: number): readonly (readonly ActionItem[])[] {
  const chunks: ActionItem[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = sizeOf(item) + 1;
    if (size > MAX_PART_BYTES - room)
      throw new DomainError('ACTION_TOO_LARGE', `The action item ${item.id} has ${size} bytes.`);
    if (bytes + size > MAX_PART_BYTES - room) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(item);
    bytes += size;
  }
  return chunks;
}

const sizeOf = (value: object | null): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Bytes reserved for an event's other fields. */
const ROOM = 2_048;
