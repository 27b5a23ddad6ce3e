/** The action items of each analysis with how far they have come. */
import type { JobEvent } from '../domain/job/events.ts';
import type { ActionItem, ActionStatus, PlanEvent } from '../domain/plan/events.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection, Recorded } from './projection.ts';

export type BoardItem = ActionItem & { readonly status: ActionStatus; readonly startedAt: string | null; readonly completedAt: string | null };

export type BoardDocument = {
  readonly jobId: string;
  readonly userId: string;
  /** Who wrote the items. */
  readonly by: string;
  readonly generatedAt: string;
  readonly items: readonly BoardItem[];
};

type BoardsEvent = PlanEvent | Extract<JobEvent, { readonly type: 'JobDeleted' }>;

export const boards: Projection<BoardDocument, BoardsEvent> = {
  name: 'boards',
  version: 1,
  indexes: [['userId', 'generatedAt']],
  handles: ['PlanGenerated', 'PlanExtended', 'ActionStarted', 'ActionCompleted', 'ActionReopened', 'PlanDeleted', 'JobDeleted'],
  keys: (event) => [event.data.jobId],
  evolve(document, event) {
    if (event.type === 'PlanGenerated') {
      const { jobId, userId, by, generatedAt, items } = event.data;
      return { jobId, userId, by, generatedAt, items: items.map(untouched) };
    }
    return document && evolveBoard(document, event);
  },
};

function evolveBoard(board: BoardDocument, event: Exclude<Recorded<BoardsEvent>, { readonly type: 'PlanGenerated' }>): BoardDocument | null {
  switch (event.type) {
    case 'PlanExtended':
      return { ...board, items: [...board.items, ...event.data.items.map(untouched)] };
    case 'ActionStarted':
      return changed(board, event.data.actionId, { status: 'in-progress', startedAt: event.data.startedAt, completedAt: null });
    case 'ActionCompleted':
      return changed(board, event.data.actionId, { status: 'completed', completedAt: event.data.completedAt });
    case 'ActionReopened':
      return changed(board, event.data.actionId, { status: 'todo', startedAt: null, completedAt: null });
    case 'PlanDeleted':
    case 'JobDeleted':
      return null;
    default:
      event satisfies never;
      return board;
  }
}

function untouched(item: ActionItem): BoardItem {
  return { ...item, status: 'todo', startedAt: null, completedAt: null };
}

function changed(board: BoardDocument, actionId: string, change: Partial<BoardItem>): BoardDocument {
  return { ...board, items: board.items.map((item) => (item.id === actionId ? { ...item, ...change } : item)) };
}

export function getBoard(readModels: ReadModels, jobId: string): Promise<StoredDocument<BoardDocument> | null> {
  return readModels.get('boards', jobId);
}
