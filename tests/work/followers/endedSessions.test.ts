import { describe, expect, it } from 'vitest';
import { mfaKeys } from '../../../src/commands/secondFactor/mfaKeys.ts';
import { beginEnrolment, confirmEnrolment } from '../../../src/commands/secondFactor/secondFactor.ts';
import {
  carryOutSessionsEnd,
  type OpenSession,
  requestSessionsEnd,
} from '../../../src/commands/session/endSessions.ts';
import { startSession } from '../../../src/commands/session/startSession.ts';
import type { SessionEvent } from '../../../src/domain/account/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { sessions } from '../../../src/projections/sessions.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createEndedSessions } from '../../../src/work/followers/endedSessions.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { codeOf, turnSecondFactor } from '../../given/secondFactor.ts';
import { fold } from '../../given/stores/projection.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';

let drawn = 0;
const newToken = (): string => {
  drawn += 1;
  return `secret${String(drawn).padStart(37, '0')}`;
};
const open = async (made: Product, userId: string): Promise<string> =>
  (await startSession(made.context(), { userId, newToken })).sessionId;

/** As in the read model. */
const openSessionsIn = (made: Product) => async (userId: string) =>
  Object.values(
    fold(sessions, (await made.log()) as unknown as Parameters<typeof fold<object, SessionEvent>>[1]),
  ).filter((one) => {
    const { userId: owner, isOpen } = one as { userId: string; isOpen: boolean };
    return isOpen && owner === userId;
  }) as unknown as readonly OpenSession[];
const openOf = async (made: Product, userId: string) =>
  (await openSessionsIn(made)(userId)).map(({ sessionId }) => sessionId);
const followerOf = (made: Product, reached = true) =>
  createEndedSessions({ context: made.context, asOf: asOfIf(reached), openSessions: openSessionsIn(made) });

describe('a request to end all sessions', () => {
  it('is completed once after a crash', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      for (let nth = 0; nth < 3; nth += 1) await open(made, ann);
      const ctx = made.context('command-1', breaking(made.store));
      const list = (userId: string) => openSessionsIn(made)(userId);
      await orCrash(
        requestSessionsEnd(ctx, { userId: ann, keptSessionId: null }).then(() =>
          carryOutSessionsEnd(ctx, { userId: ann, list }),
        ),
      );
      const asked = (await made.types('account-')).includes('AccountSessionsEnded');
      await followLog(made.store, followerOf(made));
      expect(await openOf(made, ann)).toHaveLength(asked ? 0 : 3);
      const written = (await made.log()).length;
      await followLog(made.store, followerOf(made));
      expect(await made.log()).toHaveLength(written);
    });
    expect(deaths).toBe(8);
  });

  it('spares the kept session, later sessions, and other users’ sessions', async () => {
    const made = await withAdmin();
    const [ann, bob] = [await userOf(made), await userOf(made, 'bob@example.com')];
    const [, kept, other] = [await open(made, ann), await open(made, ann), await open(made, bob)];
    await requestSessionsEnd(made.context(), { userId: ann, keptSessionId: kept });
    const later = await open(made, ann);
    await followLog(made.store, followerOf(made));
    expect([await openOf(made, ann), await openOf(made, bob)]).toEqual([[kept, later], [other]]);
  });

  it('waits for the read model, unless it is so old that no session remains', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await open(made, ann);
    await requestSessionsEnd(made.context(), { userId: ann, keptSessionId: null });
    await expect(followLog(made.store, followerOf(made, false))).rejects.toBeInstanceOf(NotYet);
    made.pass(32 * 24 * 60);
    await followLog(made.store, followerOf(made, false));
    expect(await openOf(made, ann)).toHaveLength(1);
  });
});

describe('turning on a second factor', () => {
  const keys = mfaKeys('a secret of the tests for second factors');

  it('ends the sessions opened without it after a crash, too, but not those opened since', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      const kept = await open(made, ann);
      const { secret } = await beginEnrolment(made.context(), { userId: ann, email: 'ann@example.com', keys });
      // A log-in opens a session once the others have been ordered to end.
      const store = breaking(made.store);
      const append: EventStore['append'] = async (stream, events, options) => {
        if (events[0]?.type === 'SecondFactorEnabled') await open(made, ann);
        return store.append(stream, events, options);
      };
      const racing: EventStore = Object.assign(Object.create(store), { append });
      const given = { userId: ann, code: codeOf(secret, made.now()), keptSessionId: kept, keys };
      await orCrash(confirmEnrolment(made.context('command-1', racing), given));
      await followLog(made.store, followerOf(made));
      const isOn = (await made.types('second-factor-')).includes('SecondFactorEnabled');
      if (isOn) expect(await openOf(made, ann)).toEqual([kept]);
      const later = await open(made, ann);
      await followLog(made.store, followerOf(made));
      expect(await openOf(made, ann)).toContain(later);
    });
    expect(deaths).toBe(6);
  });

  it('in a log of an earlier version leads to nothing', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await open(made, ann);
    await turnSecondFactor(made.context(), { userId: ann, on: true });
    await followLog(made.store, followerOf(made));
    expect(await openOf(made, ann)).toHaveLength(1);
  });
});

it('an order of a request that was under way when its session was ordered to end does not keep the session', async () => {
  const made = await withAdmin();
  const ann = await userOf(made);
  const stranger = await open(made, ann);
  await requestSessionsEnd(made.context(), { userId: ann, keptSessionId: null });
  await requestSessionsEnd(made.context(), { userId: ann, keptSessionId: stranger });
  await followLog(made.store, followerOf(made));
  expect(await openOf(made, ann)).toEqual([]);
});
