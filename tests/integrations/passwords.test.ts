import { describe, expect, it } from 'vitest';
import { createPasswords, PasswordsBusy } from '../../src/integrations/passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords({ maxParallel: 2, maxQueue: 20 });

  it('are stored as argon2id with the agreed cost and an own salt each', async () => {
    const [first, second] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(Buffer.from(first!.split('$').at(-1)!, 'base64')).toHaveLength(32);
    expect(first).not.toBe(second);
    expect(first).not.toContain('correct');
  });

  it('verify the right one only', async () => {
    const hash = await passwords.hash('pässwörd 🐎');
    expect(await passwords.verify(hash, 'pässwörd 🐎')).toBe(true);
    expect(await passwords.verify(hash, 'passwörd 🐎')).toBe(false);
    expect(await passwords.verify(hash, '')).toBe(false);
  });

  it('are never right for nobody, whatever is given', async () => {
    expect(await passwords.verify(null, 'anything')).toBe(false);
    expect(await passwords.verify(null, '')).toBe(false);
  });

  it('are never cut: a long one differs in its last character', async () => {
    const long = 'x'.repeat(256);
    const hash = await passwords.hash(long);
    expect(await passwords.verify(hash, long)).toBe(true);
    expect(await passwords.verify(hash, `${long.slice(0, -1)}y`)).toBe(false);
  });

  it('a broken hash is a wrong password, not a crash', async () => {
    expect(await passwords.verify('no hash at all', 'anything')).toBe(false);
  });

  it('refuse at once when more wait than may wait, and go on afterwards', async () => {
    const small = createPasswords({ maxParallel: 1, maxQueue: 2 });
    const attempts = Array.from({ length: 6 }, () => small.hash('secret'));
    const results = await Promise.allSettled(attempts);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])).every((reason) => reason instanceof PasswordsBusy)).toBe(true);
    expect(await small.verify(await small.hash('again'), 'again')).toBe(true);
  });

  it('let no one who asks for much keep the others out: each waits in a line of its own', async () => {
    const small = createPasswords({ maxParallel: 1, maxQueue: 4 });
    const done: string[] = [];
    const from = (source: string, name: string) => small.hash('secret', source).then(() => void done.push(name));
    const greedy = Array.from({ length: 10 }, (_, nth) => from('greedy', `greedy ${nth}`).catch(() => undefined));
    await Promise.all([...greedy, from('other', 'other'), from('third', 'third')]);
    expect(done).toEqual(['greedy 0', 'greedy 1', 'other', 'third', 'greedy 2', 'greedy 3', 'greedy 4']);
  });

  it('takes about as long for nobody as for a wrong password', async () => {
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
    // Skipping the computation would be a hundredth of it; a busy machine may stretch one of the two.
    expect(unknown).toBeGreaterThan(known / 5);
  });
});
