/** The action items of one analysis and how far each has come. */
import type { ActionItem, ActionStatus, PlanEvent } from './events.ts';

export type PlanState =
  | { readonly status: 'none' }
  | {
      readonly status: 'generated';
      readonly jobId: string;
      readonly userId: string;
      readonly by: string;
      readonly items: readonly ActionItem[];
      /** Items that are not `todo`. */
      readonly begun: Readonly<Record<string, ActionStatus>>;
    }
  | { readonly status: 'deleted' };

export const planStream = (jobId: string): string => `plan-${jobId}`;

export const initialState = (): PlanState => ({ status: 'none' });

export function evolve(state: PlanState, event: PlanEvent): PlanState {
  switch (event.type) {
    case 'PlanGenerated': {
      const { jobId, userId, by, items } = event.data;
      return { status: 'generated', jobId, userId, by, items, begun: {} };
    }
    case 'PlanExtended':
      return state.status === 'generated' ? { ...state, items: [...state.items, ...event.data.items] } : state;
    case 'ActionStarted':
      return withStatus(state, event.data.actionId, 'in-progress');
    case 'ActionCompleted':
      return withStatus(state, event.data.actionId, 'completed');
    case 'ActionReopened':
      return withStatus(state, event.data.actionId, 'todo');
    case 'PlanDeleted':
      return { status: 'deleted' };
    default:
      event satisfies never;
      return state;
  }
}

function withStatus(state: PlanState, actionId: string, status: ActionStatus): PlanState {
  return state.status === 'generated' ? { ...state, begun: { ...state.begun, [actionId]: status } } : state;
}
