import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createOwnerEmails } from '../../../src/http/realtime/ownerEmails.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';

/** A store that answers when the test lets it. */
function setUp() {
  const asked: {
    readonly userId: string;
    readonly answer: (email: string | null) => void;
    readonly fail: () => void;
  }[] = [];
  const readModels = {
    get: (_: string, userId: string) =>
      new Promise((resolve, reject) => {
        const answer = (email: string | null): void =>
          resolve(email === null ? null : { id: userId, position: '1', data: { email } });
        asked.push({ userId, answer, fail: () => reject(new Error('away')) });
      }),
  } as unknown as ReadModels;
  const emails = createOwnerEmails({ readModels, log: pino({ level: 'silent' }) });
  const told: (string | null)[] = [];
  return { emails, asked, told, ask: (userId = 'ann') => emails.ask(userId, (email) => told.push(email)) };
}

/** Everything answered has been sent. */
const answered = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the emails of job owners', () => {
  it('are loaded once, and sent in order', async () => {
    const { ask, asked, told } = setUp();
    for (let nth = 0; nth < 3; nth += 1) ask();
    expect(told).toEqual([]);
    asked[0]?.answer('ann@example.com');
    await answered();
    ask();
    expect(told).toEqual(Array(4).fill('ann@example.com'));
    expect(asked).toHaveLength(1);
  });

  it('follow the account, even while they are being read', async () => {
    const { emails, ask, asked, told } = setUp();
    ask();
    emails.changed({ id: 'ann', data: { email: 'new@example.com' } });
    asked[0]?.answer('old@example.com');
    await answered();
    ask();
    emails.changed({ id: 'ann', data: { email: 'newest@example.com' } });
    ask();
    expect(told).toEqual(['new@example.com', 'new@example.com', 'newest@example.com']);
  });

  it('are loaded again when there was none, and when the read failed', async () => {
    const { emails, ask, asked, told } = setUp();
    ask();
    asked[0]?.answer(null);
    await answered();
    ask();
    asked[1]?.fail();
    await answered();
    ask();
    asked[2]?.answer('ann@example.com');
    await answered();
    emails.changed({ id: 'ann', data: null });
    ask();
    expect([told, asked.length]).toEqual([[null, null, 'ann@example.com'], 4]);
  });

  it('of accounts not requested are not kept', () => {
    const { emails, ask, asked } = setUp();
    emails.changed({ id: 'ann', data: { email: 'ann@example.com' } });
    ask();
    expect(asked).toHaveLength(1);
  });
});
