/** Who was active when: against a plain reading of the same events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/domain/stored/metadata.ts';
import {
  type SequenceRecipientDocument,
  sequenceRecipients,
} from '../../../src/projections/sequences/sequenceRecipients.ts';
import { plantedLog } from '../../given/plantedLog.ts';

const USERS = ['ann', 'bob'] as const;
type User = (typeof USERS)[number];
const BY = ['user', 'apiKey', 'admin', 'worker'] as const;
type By = (typeof BY)[number];

const actorOf = (by: By, user: User): Actor => {
  if (by === 'user') return { kind: 'user', id: user };
  return by === 'worker' ? { kind: 'worker', id: 'rework' } : { kind: by, id: 'other', onBehalfOf: user };
};
const timeOf = (hour: number): string => new Date(Date.UTC(2026, 2, 1, hour)).toISOString();
const tokens = { accessTokenHash: 'a', refreshTokenHash: 'r', accessExpiresAt: timeOf(0), refreshExpiresAt: timeOf(0) };

type Log = ReturnType<typeof plantedLog>;
/** Each appends one event of the user; `true`: by whoever did it, the user's own unless an admin did. */
const ACTS: Readonly<
  Record<string, { readonly named: boolean; readonly add: (log: Log, at: string, user: User) => void }>
> = {
  login: {
    named: true,
    add: (log, at, userId) => log.add(at, 'SessionStarted', { sessionId: 's', userId, ...tokens, startedAt: at }),
  },
  refresh: {
    named: true,
    add: (log, at, userId) => log.add(at, 'SessionRefreshed', { sessionId: 's', userId, ...tokens, refreshedAt: at }),
  },
  submit: {
    named: true,
    add: (log, at, userId) =>
      log.add(at, 'JobSubmitted', {
        jobId: 'j',
        userId,
        url: 'https://example.com/',
        host: 'example.com',
        bounds: { maxPages: 5, maxMs: 1 },
        access: 'full',
        submittedAt: at,
      }),
  },
  verify: {
    named: true,
    add: (log, at, userId) =>
      log.add(at, 'VerificationAsked', { reworkId: 'r', ask: 1, jobId: 'j', userId, actionId: 'a', askedAt: at }),
  },
  start: { named: false, add: (log, at) => log.add(at, 'ActionStarted', { jobId: 'j', actionId: 'a', startedAt: at }) },
  note: {
    named: false,
    add: (log, at) => log.add(at, 'ActionNoted', { jobId: 'j', actionId: 'a', notes: 'n', notedAt: at }),
  },
};

const act = fc.record({
  what: fc.constantFrom(...Object.keys(ACTS)),
  user: fc.constantFrom(...USERS),
  by: fc.constantFrom(...BY),
  hour: fc.integer({ min: 1, max: 1_000 }),
});
type Act = { readonly what: string; readonly user: User; readonly by: By; readonly hour: number };

function folded(acts: readonly Act[]): ReadonlyMap<string, SequenceRecipientDocument | null> {
  const log = plantedLog();
  for (const userId of USERS) {
    log.add(timeOf(0), 'AccountRegistered', {
      userId,
      email: `${userId}@example.com`,
      name: '',
      passwordHash: 'hash',
      registeredAt: timeOf(0),
    });
  }
  for (const { what, user, hour } of acts) ACTS[what]?.add(log, timeOf(hour), user);
  const documents = new Map<string, SequenceRecipientDocument | null>();
  for (const [nth, { metadata, ...event }] of log.events.entries()) {
    const done = acts[nth - USERS.length];
    const recorded = {
      ...event,
      metadata: done ? { ...metadata, actor: actorOf(done.by, done.user) } : metadata,
    } as Parameters<typeof sequenceRecipients.evolve>[1];
    for (const key of sequenceRecipients.keys(recorded))
      documents.set(key, sequenceRecipients.evolve(documents.get(key) ?? null, recorded, key));
  }
  return documents;
}

describe('the activity of users', () => {
  it('is the latest of what they did themselves, whatever the order; what admins do for them does not count', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const documents = folded(acts);
        for (const userId of USERS) {
          const own = acts.filter(
            ({ user, by, what }) => user === userId && by !== 'admin' && (by !== 'worker' || ACTS[what]?.named),
          );
          const last = timeOf(Math.max(0, ...own.map(({ hour }) => hour)));
          expect(documents.get(`user/${userId}`)).toEqual({ kind: 'user', userId, lastActiveAt: last });
        }
      }),
    );
  });

  it('includes having an item verified, and not a job that an admin runs again', () => {
    const at = (what: string, by: By) => folded([{ what, user: 'ann', by, hour: 9 }]).get('user/ann');
    expect(at('verify', 'user')).toMatchObject({ lastActiveAt: timeOf(9) });
    expect(at('submit', 'user')).toMatchObject({ lastActiveAt: timeOf(9) });
    expect(at('submit', 'admin')).toMatchObject({ lastActiveAt: timeOf(0) });
  });
});
