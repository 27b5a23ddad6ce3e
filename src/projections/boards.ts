/** The action items of each audit with their progress. */
import type { JobDeletionsEvent, JobEvent } from '../domain/job/events.ts';
import type { ActionItem, PlanEvent } from '../domain/plan/events.ts';
import { type Progress, type ProgressEvent, progressAfter, UNTOUCHED } from '../domain/plan/progress.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { Documents, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type BoardItem = ActionItem & Progress;

export type BoardDocument = {
  readonly jobId: string;
  readonly userId: string;
  /** Author of the items. */
  readonly by: string;
  readonly generatedAt: string;
  readonly items: readonly BoardItem[];
  /** After a regeneration: progress to carry over, by new item id; some of these items may be in a later event. */
  readonly carried?: Readonly<Record<string, Progress>>;
};

type BoardsEvent = PlanEvent | JobDeletionsEvent | Extract<JobEvent, { readonly type: 'JobDeleted' }>;

export const boards: Projection<BoardDocument, BoardsEvent> = {
  name: 'boards',
  version: 2,
  indexes: [['userId', 'generatedAt']],
  handles: [
    'PlanGenerated',
    'PlanExtended',
    'PlanRegenerated',
    'ActionStarted',
    'ActionCompleted',
    'ActionReopened',
    'ActionSetBack',
    'ActionMoveUndone',
    'ActionNoted',
    'ActionRated',
    'ActionVerified',
    'PlanDeleted',
    'JobDeleted',
    'JobsDeleted',
  ],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  evolve(document, event) {
    if (event.type === 'PlanGenerated') {
      const { jobId, userId, by, generatedAt, items } = event.data;
      return { jobId, userId, by, generatedAt, items: items.map((item) => ({ ...item, ...UNTOUCHED })) };
    }
    return document && evolveBoard(document, event);
  },
};

function evolveBoard(board: BoardDocument, event: Exclude<Recorded<BoardsEvent>, { readonly type: 'PlanGenerated' }>): BoardDocument | null {
  switch (event.type) {
    case 'PlanExtended':
      return { ...board, items: [...board.items, ...event.data.items.map(takingUp(board.carried ?? {}))] };
    case 'PlanRegenerated': {
      const { by, items, kept } = event.data;
      const earlier = new Map(board.items.map((item) => [item.id, item]));
      const carried = Object.fromEntries(Object.entries(kept).map(([id, from]) => [id, progressOf(earlier.get(from))]));
      return { ...board, by, carried, items: items.map(takingUp(carried)) };
    }
    case 'PlanDeleted':
    case 'JobDeleted':
    case 'JobsDeleted':
      return null;
    default:
      return touched(board, event);
  }
}

function takingUp(carried: Readonly<Record<string, Progress>>): (item: ActionItem) => BoardItem {
  return (item) => ({ ...item, ...UNTOUCHED, ...(Object.hasOwn(carried, item.id) ? carried[item.id] : {}) });
}

function progressOf(item: BoardItem = UNTOUCHED as BoardItem): Progress {
  const { status, startedAt, completedAt, notes, rating, verification, before } = item;
  return { status, startedAt, completedAt, notes, rating, verification, before };
}

function touched(board: BoardDocument, event: ProgressEvent): BoardDocument {
  return { ...board, items: board.items.map((item) => (item.id === event.data.actionId ? { ...item, ...progressAfter(progressOf(item), event) } : item)) };
}

export function getBoard(readModels: Documents, jobId: string): Promise<StoredDocument<BoardDocument> | null> {
  return readModels.get('boards', jobId);
}

/** A user's boards, newest first. */
export async function listBoards(readModels: ReadModels, userId: string, limit: number): Promise<readonly StoredDocument<BoardDocument>[]> {
  return (await readModels.find<BoardDocument>('boards', { where: { userId }, sort: [['generatedAt', 'desc']], limit })).documents;
}
