/** What may happen to the action items: each goes from todo over in-progress to completed, and from there back to todo. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { MAX_PART_BYTES } from '../report/events.ts';
import type { ActionItem, ActionStatus, PlanEvent } from './events.ts';
import { evolve, initialState, type PlanState } from './plan.ts';

/** `at` is the time of the command, UTC ISO. */
export type PlanCommand =
  | {
      readonly type: 'GeneratePlan';
      readonly jobId: string;
      readonly userId: string;
      readonly by: string;
      readonly items: readonly ActionItem[];
      readonly at: string;
    }
  | { readonly type: 'StartAction'; readonly actionId: string; readonly at: string }
  | { readonly type: 'CompleteAction'; readonly actionId: string; readonly at: string }
  | { readonly type: 'ReopenAction'; readonly actionId: string; readonly at: string }
  | { readonly type: 'DeletePlan'; readonly at: string };

type Command<Type extends PlanCommand['type']> = Extract<PlanCommand, { readonly type: Type }>;

function decide(command: PlanCommand, state: PlanState): readonly PlanEvent[] {
  switch (command.type) {
    case 'GeneratePlan':
      return generate(command, state);
    case 'StartAction':
      return move(command, state, 'todo', 'in-progress', (jobId) => ({
        type: 'ActionStarted',
        data: { jobId, actionId: command.actionId, startedAt: command.at },
      }));
    case 'CompleteAction':
      return move(command, state, 'in-progress', 'completed', (jobId) => ({
        type: 'ActionCompleted',
        data: { jobId, actionId: command.actionId, completedAt: command.at },
      }));
    case 'ReopenAction':
      return move(command, state, 'completed', 'todo', (jobId) => ({
        type: 'ActionReopened',
        data: { jobId, actionId: command.actionId, reopenedAt: command.at },
      }));
    case 'DeletePlan':
      return state.status === 'generated' ? [{ type: 'PlanDeleted', data: { jobId: state.jobId, deletedAt: command.at } }] : [];
    default:
      return unreachable(command);
  }
}

export const planDecider: Decider<PlanState, PlanCommand, PlanEvent> = { initialState, evolve, decide };

/** A plan is generated once: who repeats the step after a crash keeps the items that are there. */
function generate({ jobId, userId, by, items, at }: Command<'GeneratePlan'>, state: PlanState): readonly PlanEvent[] {
  if (state.status === 'generated') return [];
  if (state.status === 'deleted') throw new DomainError('PLAN_DELETED', 'The analysis has been deleted.');
  if (new Set(items.map((item) => item.id)).size < items.length) throw new DomainError('ACTION_ID_TWICE', 'Two action items have the same id.');
  const [first = [], ...more] = chunksOf(items);
  return [
    { type: 'PlanGenerated', data: { jobId, userId, by, count: items.length, items: first, generatedAt: at } },
    ...more.map((chunk) => ({ type: 'PlanExtended' as const, data: { jobId, items: chunk } })),
  ];
}

function move(
  { actionId }: { readonly actionId: string },
  state: PlanState,
  from: ActionStatus,
  to: ActionStatus,
  event: (jobId: string) => PlanEvent,
): readonly PlanEvent[] {
  if (state.status !== 'generated' || !state.items.some((item) => item.id === actionId)) {
    throw new DomainError('ACTION_NOT_FOUND', 'There is no such action item.');
  }
  const status = state.begun[actionId] ?? 'todo';
  if (status === to) return [];
  if (status !== from) throw new DomainError('ACTION_NOT_MOVABLE', `An action item that is ${status} cannot become ${to}.`, { from: status, to });
  return [event(state.jobId)];
}

/** Items in runs that each fit an event. */
function chunksOf(items: readonly ActionItem[]): readonly (readonly ActionItem[])[] {
  const encoder = new TextEncoder();
  const chunks: ActionItem[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = encoder.encode(JSON.stringify(item)).length + 1;
    if (size > MAX_PART_BYTES - ROOM) throw new DomainError('ACTION_TOO_LARGE', `The action item ${item.id} has ${size} bytes.`);
    if (bytes + size > MAX_PART_BYTES - ROOM) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(item);
    bytes += size;
  }
  return chunks;
}

/** Bytes kept for an event's other fields. */
const ROOM = 2_048;
