import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/http/account/oneExport.ts';

const owner = {};
const never = new AbortController().signal;
async function* chunks(): AsyncGenerator<string> {
  yield 'a';
  yield 'b';
}
const begin = (userId = 'ann', signal = never) => oneAtATime(owner, userId, signal, chunks);

describe('exports of a user', () => {
  it('are read one at a time; those of others are not affected', async () => {
    const first = begin();
    expect(begin()).toBeNull();
    const other = begin('bob');
    expect(other).not.toBeNull();
    let text = '';
    for await (const chunk of first ?? []) text += chunk;
    expect(text).toBe('ab');
    for await (const _ of other ?? []);
    for await (const _ of begin() ?? []);
  });

  it('end when nobody takes any more, even before the first chunk', async () => {
    Readable.from(begin() ?? []).destroy();
    await new Promise((resolve) => setImmediate(resolve));
    for await (const _ of begin() ?? []) break;
    expect(begin('ann', AbortSignal.abort())).toBeNull();
    const gone = new AbortController();
    expect(begin('ann', gone.signal)).not.toBeNull();
    gone.abort();
    const last = begin();
    expect(last).not.toBeNull();
    for await (const _ of last ?? []);
  });

  it('end when one fails', async () => {
    const failing = oneAtATime(owner, 'ann', never, async function* () {
      yield 'a';
      throw new Error('no longer');
    });
    await expect(drained(failing)).rejects.toThrow('no longer');
    for await (const _ of begin() ?? []);
  });
});

async function drained(from: AsyncIterable<string> | null): Promise<void> {
  for await (const _ of from ?? []);
}
