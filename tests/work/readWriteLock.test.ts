import { describe, expect, it } from 'vitest';
import { createReadWriteLock } from '../../src/work/readWriteLock.ts';

const never = new AbortController().signal;

/** Names of the holders, in the order of entry. */
function guests() {
  const lock = createReadWriteLock();
  const inside: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    lock,
    inside,
    async enter(name: string, alone = false, signal: AbortSignal = never): Promise<void> {
      const out = await lock.acquire(alone, signal);
      inside.push(name);
      leave.set(name, () => {
        inside.splice(inside.indexOf(name), 1);
        out();
      });
    },
    leave: (name: string) => leave.get(name)?.(),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the read-write lock', () => {
  it('lets many share it', async () => {
    const { enter, inside, lock } = guests();
    await Promise.all([enter('a'), enter('b'), enter('c')]);
    expect(inside).toEqual(['a', 'b', 'c']);
    expect(lock.isClosed()).toBe(false);
  });

  it('lets an exclusive waiter wait for current holders, and nobody enter before it', async () => {
    const { enter, inside, leave, lock } = guests();
    await enter('a');
    void enter('alone', true);
    void enter('b');
    await settled();
    expect(inside).toEqual(['a']);
    expect(lock.isClosed()).toBe(true);
    leave('a');
    await settled();
    expect(inside).toEqual(['alone']);
    leave('alone');
    await settled();
    expect(inside).toEqual(['b']);
    expect(lock.isClosed()).toBe(false);
  });

  it('lets the others enter when the exclusive waiter gives up', async () => {
    const { enter, inside, leave } = guests();
    const stop = new AbortController();
    await enter('a');
    const alone = enter('alone', true, stop.signal).catch((error: unknown) => error);
    void enter('b');
    stop.abort(new Error('stopped'));
    expect(await alone).toEqual(new Error('stopped'));
    await settled();
    expect(inside).toEqual(['a', 'b']);
    leave('a');
  });

  it('lets one exclusive holder in after the other', async () => {
    const { enter, inside, leave } = guests();
    await enter('first', true);
    void enter('second', true);
    await settled();
    expect(inside).toEqual(['first']);
    leave('first');
    await settled();
    expect(inside).toEqual(['second']);
  });
});
