/**
 * When each user was last active: logged in, had a token refreshed, submitted an audit, worked on an item or had it
 * verified. An admin's acts are not theirs.
 */
import { isOf } from '../../domain/stored/eventOf.ts';
import { userOf } from '../../domain/stored/metadata.ts';
import type { Page, ReadModels } from '../../readModels/readModels.ts';
import { each, projection } from '../projection.ts';

export type UserActivityDocument = { readonly userId: string; readonly lastActiveAt: string };

/**
 * Events that name their user. A verification counts when it is requested: `ActionVerified` follows within seconds, is
 * a worker's, and names nobody.
 */
const NAMED = ['SessionStarted', 'SessionRefreshed', 'JobSubmitted', 'VerificationAsked'] as const;
/**
 * Events whose actor is the user, if it was one. Deletions are included because they outlast everything erased with
 * them, so that a rebuilt list is the same. In a bulk deletion, a follower deletes each job.
 */
const DONE = [
  'ActionStarted',
  'ActionCompleted',
  'ActionReopened',
  'ActionSetBack',
  'ActionMoveUndone',
  'ActionNoted',
  'ActionRated',
  'JobDeleted',
  'JobsDeleted',
] as const;

export const userActivity = projection<UserActivityDocument>()({
  name: 'userActivity',
  version: 3,
  indexes: [['lastActiveAt']],
  keys: (event) => {
    const userId = isOf(event, ...DONE) ? userOf(event.metadata.actor) : event.data.userId;
    return userId === null ? [] : [userId];
  },
  on: {
    AccountRegistered: (_, { data }, userId) => ({ userId, lastActiveAt: data.registeredAt }),
    AccountDeleted: () => null,
    // A refused address means that the sign-up was abandoned, and the account's own stream is deleted.
    EmailRefused: () => null,
    ...each([...NAMED, ...DONE], (document: UserActivityDocument | null, { metadata: { at, actor } }) => {
      if (actor.kind === 'admin') return document;
      return document && at > document.lastActiveAt ? { ...document, lastActiveAt: at } : document;
    }),
  },
});

export async function lastActiveAt(readModels: ReadModels, userId: string): Promise<string | null> {
  return (await readModels.get<UserActivityDocument>('userActivity', userId))?.data.lastActiveAt ?? null;
}

/** Users whose last activity lies between these times, in order of activity. */
export function listQuiet(
  readModels: ReadModels,
  {
    after,
    upTo,
    limit,
    cursor,
  }: { readonly after: string; readonly upTo: string; readonly limit: number; readonly cursor?: string },
): Promise<Page<UserActivityDocument>> {
  return readModels.find<UserActivityDocument>('userActivity', {
    where: { lastActiveAt: { gt: after, lte: upTo } },
    sort: [['lastActiveAt', 'asc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}
