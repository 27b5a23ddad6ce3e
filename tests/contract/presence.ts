/** The contract of every adapter of the presence port. */
import { describe, expect, it } from 'vitest';
import type { Presence } from '../../src/readModels/presence.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 10, 12, minute)).toISOString();

export function describePresence(adapter: string, open: () => Promise<Presence>): void {
  describe(`presence on ${adapter}`, () => {
    it('is the last entry of each, newest first, since a time, up to a limit', async () => {
      const presence = await open();
      expect(await presence.list('user', { since: at(0), limit: 10 })).toEqual([]);
      expect(await presence.count('user', at(0))).toBe(0);
      await presence.note('user', { id: 'ada', at: at(1), value: '' });
      await presence.note('user', { id: 'bob', at: at(2), value: '' });
      await presence.note('user', { id: 'ada', at: at(3), value: 'again' });
      await presence.note('user', { id: 'eve', at: at(0), value: '' });
      expect(await presence.list('user', { since: at(0), limit: 2 })).toEqual([
        { id: 'ada', at: at(3), value: 'again' },
        { id: 'bob', at: at(2), value: '' },
      ]);
      expect((await presence.list('user', { since: at(1), limit: 10 })).map(({ id }) => id)).toEqual(['ada', 'bob']);
      expect(await presence.count('user', at(1))).toBe(2);
    });

    it('is found by its kind and id', async () => {
      const presence = await open();
      await presence.note('admin', { id: 'a/b', at: at(1), value: '' });
      await presence.note('admin', { id: 'a/b', at: at(2), value: 'x' });
      expect(await presence.get('admin', 'a/b')).toEqual({ id: 'a/b', at: at(2), value: 'x' });
      expect([await presence.get('user', 'a/b'), await presence.get('admin', 'a')]).toEqual([null, null]);
    });

    it('separates kinds and ids, whatever is in them, and keeps values as they are', async () => {
      const presence = await open();
      const ids = ['a', 'a/b', '$gt{"a":1}.x', "';--", 'ä ö', '%2F'];
      for (const id of ids) await presence.note('process', { id, at: at(1), value: `{"of":${JSON.stringify(id)}}` });
      await presence.note('user', { id: 'a', at: at(1), value: '' });
      await presence.remove('process', 'a');
      await presence.remove('process', 'a');
      const left = await presence.list('process', { since: at(1), limit: 10 });
      expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
      for (const { id, value } of left) expect(JSON.parse(value)).toEqual({ of: id });
      expect(await presence.count('user', at(1))).toBe(1);
    });

    it('is removed before a time, of one kind', async () => {
      const presence = await open();
      await presence.note('user', { id: 'old', at: at(1), value: '' });
      await presence.note('user', { id: 'new', at: at(2), value: '' });
      await presence.note('process', { id: 'old', at: at(1), value: '' });
      await presence.forget('user', at(2));
      expect((await presence.list('user', { since: at(0), limit: 10 })).map(({ id }) => id)).toEqual(['new']);
      expect(await presence.count('process', at(0))).toBe(1);
    });

    it('noted by several at once is one of theirs', async () => {
      const presence = await open();
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => presence.note('user', { id: 'one', at: at(n), value: String(n) })),
      );
      expect(await presence.count('user', at(0))).toBe(1);
    });
  });
}
