import { verify as argonVerify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords, PasswordsBusy } from '../../src/integrations/passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords({ maxParallel: 2, maxQueue: 20 });

  it('are hashed with argon2id at the configured cost, each with its own salt', async () => {
    const [first, second] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(Buffer.from(first!.split('$').at(-1)!, 'base64')).toHaveLength(32);
    expect(first).not.toBe(second);
    expect(first).not.toContain('correct');
  });

  it('a hash matches only the right password', async () => {
    const hash = await passwords.hash('pässwörd 🐎');
    expect(await passwords.verify(hash, 'pässwörd 🐎')).toBe(true);
    expect(await passwords.verify(hash, 'passwörd 🐎')).toBe(false);
    expect(await passwords.verify(hash, '')).toBe(false);
  });

  it('no password matches without a hash', async () => {
    expect(await passwords.verify(null, 'anything')).toBe(false);
    expect(await passwords.verify(null, '')).toBe(false);
  });

  it('the last character of a long password counts', async () => {
    const long = 'x'.repeat(256);
    const hash = await passwords.hash(long);
    expect(await passwords.verify(hash, long)).toBe(true);
    expect(await passwords.verify(hash, `${long.slice(0, -1)}y`)).toBe(false);
  });

  it('do not match a malformed hash, instead of throwing', async () => {
    expect(await passwords.verify('no hash at all', 'anything')).toBe(false);
  });

  it('are refused at once when the queue is full, and work again afterwards', async () => {
    const small = createPasswords({ maxParallel: 1, maxQueue: 2 });
    const attempts = Array.from({ length: 6 }, () => small.hash('secret'));
    const results = await Promise.allSettled(attempts);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(
      results
        .flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
        .every((reason) => reason instanceof PasswordsBusy),
    ).toBe(true);
    expect(await small.verify(await small.hash('again'), 'again')).toBe(true);
  });

  it('are queued per source, so that a busy source cannot block others', async () => {
    const small = createPasswords({ maxParallel: 1, maxQueue: 4 });
    const done: string[] = [];
    const from = (source: string, name: string) => small.hash('secret', source).then(() => void done.push(name));
    const greedy = Array.from({ length: 10 }, (_, nth) => from('greedy', `greedy ${nth}`).catch(() => undefined));
    await Promise.all([...greedy, from('other', 'other'), from('third', 'third')]);
    expect(done).toEqual(['greedy 0', 'greedy 1', 'other', 'third', 'greedy 2', 'greedy 3', 'greedy 4']);
  });

  it('take about as long to verify for an unknown user as for a wrong password', async () => {
    const hash = await passwords.hash('right');
    const timeOf = async (against: string | null): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 9; round += 1) {
        const start = performance.now();
        await passwords.verify(against, 'wrong');
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[4]!;
    };
    await passwords.verify(null, 'warm up');
    const [known, unknown] = [await timeOf(hash), await timeOf(null)];
    // Skipping the hash would take a hundredth of the time; a busy machine may stretch either.
    expect(unknown).toBeGreaterThan(known / 5);
  });
});

describe('a password with accents', () => {
  const composed = 'Pässwörter-für-Åse'.normalize('NFC');
  const decomposed = composed.normalize('NFD');
  const compared: string[] = [];
  const passwords = createPasswords({
    maxParallel: 2,
    maxQueue: 20,
    compare: (hash, form) => {
      compared.push(form);
      return argonVerify(hash, form);
    },
  });
  const formsTriedFor = async (hash: string | null, password: string): Promise<readonly [boolean, ...string[]]> => {
    compared.length = 0;
    return [await passwords.verify(hash, password), ...compared];
  };

  it('matches from whatever keyboard it is typed, as it is stored in its composed form', async () => {
    const stored = [await passwords.hash(composed), await passwords.hash(decomposed)];
    for (const hash of stored) {
      expect(await formsTriedFor(hash, composed)).toEqual([true, composed]);
      expect(await formsTriedFor(hash, decomposed)).toEqual([true, decomposed, composed]);
    }
    expect(await formsTriedFor(await passwords.hash('office №1'), 'oﬃce №１')).toEqual([
      false,
      'oﬃce №１',
      'office No1',
    ]);
    expect(await formsTriedFor(await passwords.hash('office No1'), 'oﬃce №１')).toEqual([
      true,
      'oﬃce №１',
      'office No1',
    ]);
  });

  // Hashes from before passwords were stored in NFC.
  it.each([
    [composed, '$argon2id$v=19$m=19456,t=2,p=1$2VpMgIjGW2z/FLyuq95bcw$956KCuzIVkePgbozlkv000jAEJH7zQeHVdTVpWkM85E'],
    [decomposed, '$argon2id$v=19$m=19456,t=2,p=1$bx7FQ5X7Qbhz588xS1x8+A$a1EPPY+dtbDqMvxeF3+/wzwIvdQlsa/HAOfLK1zNcO4'],
    [
      'oﬃce №１ 𝐩𝐚𝐬𝐬',
      '$argon2id$v=19$m=19456,t=2,p=1$5/HdDT9TMfuZOjRvWNvGSw$zJ1rvzgHkOSfWp8fUBEsC3AKljG9LOjv7pzAxrFiRZ0',
    ],
    [
      'a good password',
      '$argon2id$v=19$m=19456,t=2,p=1$K0PznkR/RS0WEXBO2Jyong$PkRSJiwaX5gk6w92SAeBTysnDPkKC2qCGmJQyEBlU2U',
    ],
  ])('matches a hash of %j that was made as typed, at the first comparison', async (password, hash) => {
    expect(await formsTriedFor(hash, password)).toEqual([true, password]);
  });

  it('takes as many comparisons where there is no account as where it is wrong, and one if it is all ASCII', async () => {
    const hash = await passwords.hash('another password');
    for (const [typed, forms] of [
      ['all ASCII: ~!@#', 1],
      [composed, 1],
      [decomposed, 2],
      ['oﬃce', 2],
      [`oﬃce ${decomposed}`, 3],
      ['\ud800 alone', 1],
    ] as const) {
      const wrong = await formsTriedFor(hash, typed);
      expect([wrong[0], wrong.length - 1]).toEqual([false, forms]);
      expect(await formsTriedFor(null, typed)).toEqual(wrong);
    }
  });

  it('is neither trimmed nor folded in any other way', async () => {
    const hash = await passwords.hash(' Pässword ');
    for (const other of ['Pässword', ' Pässword', ' pässword ', ' Password ', ' Pässword  '])
      expect(await passwords.verify(hash, other)).toBe(false);
    expect(await passwords.verify(hash, ' Pässword '.normalize('NFD'))).toBe(true);
  });

  it('of the greatest length stays quick to compare, even where its compatible form is eighteen times as long', async () => {
    const longest = '\ufdfa'.repeat(256);
    expect(await formsTriedFor(null, longest)).toEqual([false, longest, longest.normalize('NFKC')]);
  });
});
