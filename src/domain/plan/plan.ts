/** The action items of one audit and their progress. */
import type { ActionItem, PlanEvent } from './events.ts';
import { type Progress, type ProgressEvent, progressAfter, UNTOUCHED } from './progress.ts';

export type PlanState =
  | { readonly status: 'none' }
  | {
      readonly status: 'generated';
      readonly jobId: string;
      readonly userId: string;
      readonly by: string;
      readonly items: readonly ActionItem[];
      /** Only items with progress. */
      readonly progress: Readonly<Record<string, Progress>>;
    }
  | { readonly status: 'deleted' };

type Generated = Extract<PlanState, { readonly status: 'generated' }>;

export const initialState = (): PlanState => ({ status: 'none' });

export function evolve(state: PlanState, event: PlanEvent): PlanState {
  if (event.type === 'PlanGenerated') {
    const { jobId, userId, by, items } = event.data;
    return { status: 'generated', jobId, userId, by, items, progress: {} };
  }
  if (event.type === 'PlanDeleted') return { status: 'deleted' };
  return state.status === 'generated' ? evolveGenerated(state, event) : state;
}

function evolveGenerated(
  state: Generated,
  event: Exclude<PlanEvent, { readonly type: 'PlanGenerated' | 'PlanDeleted' }>,
): PlanState {
  switch (event.type) {
    case 'PlanExtended':
      return { ...state, items: [...state.items, ...event.data.items] };
    case 'PlanRegenerated': {
      const { by, items, kept } = event.data;
      const progress = Object.fromEntries(
        Object.entries(kept).map(([id, earlier]) => [id, progressOf(state, earlier)]),
      );
      return { ...state, by, items, progress };
    }
    default:
      return touched(state, event);
  }
}

function touched(state: Generated, event: ProgressEvent): PlanState {
  const { actionId } = event.data;
  return { ...state, progress: { ...state.progress, [actionId]: progressAfter(progressOf(state, actionId), event) } };
}

export function progressOf({ progress }: Generated, actionId: string): Progress {
  return (Object.hasOwn(progress, actionId) ? progress[actionId] : undefined) ?? UNTOUCHED;
}

/** Every item with its progress; empty if there is no plan. */
export function itemsOf(state: PlanState): readonly (ActionItem & Progress)[] {
  return state.status === 'generated' ? state.items.map((item) => ({ ...item, ...progressOf(state, item.id) })) : [];
}

const bytesOfItems = new WeakMap<readonly ActionItem[], number>();
const BYTES_OF_PROGRESS = 500;

/** About how much memory a plan takes. */
export function bytesOf(state: PlanState): number {
  if (state.status !== 'generated') return 0;
  const { items, progress } = state;
  const ofItems = bytesOfItems.get(items) ?? 2 * JSON.stringify(items).length;
  bytesOfItems.set(items, ofItems);
  return Object.values(progress).reduce((bytes, { notes, verification }) => {
    return (
      bytes +
      BYTES_OF_PROGRESS +
      2 * ((notes?.length ?? 0) + (verification === null ? 0 : JSON.stringify(verification).length))
    );
  }, ofItems);
}
