/**
 * Finds the action item a request refers to among the caller's own: in the given audit, or in the newest one with such
 * an item.
 */
import { type BoardDocument, getBoard, listBoards } from '../../projections/boards.ts';
import { getJob } from '../../projections/jobs.ts';
import { mayAsOwner } from '../auth/policy.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { visibleItems } from '../present/action.ts';
import { actionNotFound, jobNotFound } from '../request/errors.ts';
import { justSubmitted } from '../routing/justMade.ts';
import type { OwnJob } from '../routing/route.ts';

/** Number of plans searched if no audit is given. */
const LOOK_BACK = 20;

export type OwnAction = { readonly jobId: string; readonly job: OwnJob; readonly item: BoardDocument['items'][number] };

/** @throws HttpError JOB_NOT_FOUND, ACTION_NOT_FOUND; items held back by a preview count as missing */
export async function ownAction(
  deps: HttpDeps,
  userId: string,
  actionId: string,
  jobId: string | undefined,
): Promise<OwnAction> {
  const { readModels } = deps;
  if (jobId !== undefined) {
    const job = (await getJob(readModels, jobId)) ?? (await justSubmitted(deps, { jobId, userId }));
    const board = await getBoard(readModels, jobId);
    if (!job || !mayAsOwner({ userId }, 'read', { kind: 'action', ownerId: job.data.userId }))
      throw jobNotFound({ anothers: job !== null });
    const item = board && visibleItem(board.data, job, actionId);
    if (!item) throw actionNotFound();
    return { jobId, job, item };
  }
  for (const board of await listBoards(readModels, userId, LOOK_BACK)) {
    if (!board.data.items.some((item) => item.id === actionId)) continue;
    const job = await getJob(readModels, board.id);
    const item = job && visibleItem(board.data, job, actionId);
    if (job && item) return { jobId: board.id, job, item };
  }
  throw actionNotFound();
}

function visibleItem(board: BoardDocument, job: OwnJob, actionId: string): OwnAction['item'] | undefined {
  return visibleItems(board, job.data.access).find((item) => item.id === actionId);
}
