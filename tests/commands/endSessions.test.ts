import { describe, expect, it } from 'vitest';
import { changePassword } from '../../src/commands/account/changePassword.ts';
import { carryOutSessionsEnd, type ListSessions } from '../../src/commands/session/endSessions.ts';
import { startSession } from '../../src/commands/session/startSession.ts';
import type { SessionEvent } from '../../src/domain/account/events.ts';
import { START } from '../../src/eventStore/eventStore.ts';
import { sessions } from '../../src/projections/sessions.ts';
import { type Product, userOf, withAdmin } from '../given/commands.ts';
import { fold } from '../given/stores/projection.ts';

let drawn = 0;
const newToken = (): string => {
  drawn += 1;
  return `secret${String(drawn).padStart(37, '0')}`;
};
const open = async (made: Product, userId: string): Promise<string> =>
  (await startSession(made.context(), { userId, newToken })).sessionId;
/** As in the read model. */
const listOf =
  (made: Product): ListSessions =>
  async (userId) =>
    Object.values(
      fold(sessions, (await made.log()) as unknown as Parameters<typeof fold<object, SessionEvent>>[1]),
    ).filter((one) => {
      const session = one as { readonly userId: string; readonly isOpen: boolean };
      return session.isOpen && session.userId === userId;
    }) as Awaited<ReturnType<ListSessions>>;
const openOf = async (made: Product, userId: string) =>
  (await listOf(made)(userId, START)).map(({ sessionId }) => sessionId);

describe('ending all sessions', () => {
  it('ends earlier sessions except the kept one, and no other user’s', async () => {
    const made = await withAdmin();
    const [ann, bob] = [await userOf(made), await userOf(made, 'bob@example.com')];
    const [first, , third, other] = [
      await open(made, ann),
      await open(made, ann),
      await open(made, ann),
      await open(made, bob),
    ];
    await changePassword(made.context(), { userId: ann, passwordHash: 'new', keptSessionId: third });
    const later = await open(made, ann);
    await carryOutSessionsEnd(made.context(), { userId: ann, list: listOf(made) });
    expect(await openOf(made, ann)).toEqual([third, later]);
    expect(await openOf(made, bob)).toEqual([other]);
    const ended = (await made.log()).filter(({ type }) => type === 'SessionEnded').map(({ data }) => data);
    expect(ended).toMatchObject([{ sessionId: first, reason: 'password_changed' }, { reason: 'password_changed' }]);
  });
});
