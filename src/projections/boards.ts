/** The action items of each audit with their progress. */
import type { ActionItem } from '../domain/plan/events.ts';
import { type Progress, type ProgressEvent, progressAfter, UNTOUCHED } from '../domain/plan/progress.ts';
import type { Documents, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

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

export const boards = projection<BoardDocument>()({
  name: 'boards',
  version: 3,
  indexes: [['userId', 'generatedAt']],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  on: {
    PlanGenerated: (_, { data: { jobId, userId, by, generatedAt, items } }) => ({
      jobId,
      userId,
      by,
      generatedAt,
      items: items.map((item) => ({ ...item, ...UNTOUCHED })),
    }),
    PlanExtended: (board, { data }) =>
      board && { ...board, items: [...board.items, ...data.items.map(takingUp(board.carried ?? {}))] },
    PlanRegenerated: (board, { data: { by, items, kept } }) => {
      if (!board) return null;
      const earlier = new Map(board.items.map((item) => [item.id, item]));
      const carried = Object.fromEntries(Object.entries(kept).map(([id, from]) => [id, progressOf(earlier.get(from))]));
      return { ...board, by, carried, items: items.map(takingUp(carried)) };
    },
    ActionStarted: touched,
    ActionCompleted: touched,
    ActionReopened: touched,
    ActionSetBack: touched,
    ActionMoveUndone: touched,
    ActionNoted: touched,
    ActionRated: touched,
    ActionChosen: touched,
    ActionVerified: touched,
    PlanDeleted: () => null,
    JobDeleted: () => null,
    JobsDeleted: () => null,
  },
});

function takingUp(carried: Readonly<Record<string, Progress>>): (item: ActionItem) => BoardItem {
  return (item) => ({ ...item, ...UNTOUCHED, ...(Object.hasOwn(carried, item.id) ? carried[item.id] : {}) });
}

function progressOf(item: BoardItem = UNTOUCHED as BoardItem): Progress {
  const { status, startedAt, completedAt, notes, rating, verification, chosen, before } = item;
  return { status, startedAt, completedAt, notes, rating, verification, chosen, before };
}

function touched(board: BoardDocument | null, event: ProgressEvent): BoardDocument | null {
  if (!board) return null;
  return {
    ...board,
    items: board.items.map((item) =>
      item.id === event.data.actionId ? { ...item, ...progressAfter(progressOf(item), event) } : item,
    ),
  };
}

export function getBoard(readModels: Documents, jobId: string): Promise<StoredDocument<BoardDocument> | null> {
  return readModels.get('boards', jobId);
}

/** A user's boards, newest first. */
export async function listBoards(
  readModels: ReadModels,
  userId: string,
  limit: number,
): Promise<readonly StoredDocument<BoardDocument>[]> {
  return (await readModels.find<BoardDocument>('boards', { where: { userId }, sort: [['generatedAt', 'desc']], limit }))
    .documents;
}
