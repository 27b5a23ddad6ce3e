/** When each user last did anything: signed in, had a token refreshed, asked for an audit, worked on an item. */
import type { AccountEvent, SessionEvent } from '../../domain/account/events.ts';
import type { JobEvent } from '../../domain/job/events.ts';
import type { PlanEvent } from '../../domain/plan/events.ts';
import { userOf } from '../../domain/stored/metadata.ts';
import type { Page, ReadModels } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

export type UserActivityDocument = { readonly userId: string; readonly lastActiveAt: string };

/** They name their user. */
const NAMED = ['SessionStarted', 'SessionRefreshed', 'JobSubmitted'] as const;
/**
 * Of these the actor is the user, if it was one. A deletion is among them: it comes after all that is erased with it, so that a list that is built anew is
 * the same.
 */
const DONE = ['ActionStarted', 'ActionCompleted', 'ActionReopened', 'ActionSetBack', 'ActionMoveUndone', 'ActionNoted', 'ActionRated', 'JobDeleted'] as const;

type Named = Extract<SessionEvent | JobEvent, { readonly type: (typeof NAMED)[number] }>;
type Done = Extract<PlanEvent | JobEvent, { readonly type: (typeof DONE)[number] }>;
type OfAccount = Extract<AccountEvent, { readonly type: 'AccountRegistered' | 'AccountDeleted' }>;

const isDone = (type: string): boolean => DONE.some((each) => each === type);

export const userActivity: Projection<UserActivityDocument, Named | Done | OfAccount> = {
  name: 'userActivity',
  version: 1,
  indexes: [['lastActiveAt']],
  handles: ['AccountRegistered', 'AccountDeleted', ...NAMED, ...DONE],
  keys: (event) => {
    const userId = isDone(event.type) ? userOf(event.metadata.actor) : (event.data as { readonly userId: string }).userId;
    return userId === null ? [] : [userId];
  },
  evolve(document, event, userId) {
    if (event.type === 'AccountRegistered') return { userId, lastActiveAt: event.data.registeredAt };
    if (event.type === 'AccountDeleted') return null;
    const { at } = event.metadata;
    return document && at > document.lastActiveAt ? { ...document, lastActiveAt: at } : document;
  },
};

export async function lastActiveAt(readModels: ReadModels, userId: string): Promise<string | null> {
  return (await readModels.get<UserActivityDocument>('userActivity', userId))?.data.lastActiveAt ?? null;
}

/** Whose last activity lies between these times, in its order. */
export function listQuiet(
  readModels: ReadModels,
  { after, upTo, limit, cursor }: { readonly after: string; readonly upTo: string; readonly limit: number; readonly cursor?: string },
): Promise<Page<UserActivityDocument>> {
  return readModels.find<UserActivityDocument>('userActivity', {
    where: { lastActiveAt: { gt: after, lte: upTo } },
    sort: [['lastActiveAt', 'asc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}
