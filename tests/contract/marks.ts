/** The contract of every adapter of the marks port. */
import { describe, expect, it } from 'vitest';
import type { Marks } from '../../src/readModels/claims.ts';

export function describeMarks(adapter: string, open: () => Promise<Marks>): void {
  describe(`marks on ${adapter}`, () => {
    it('have the last value written, until they are removed', async () => {
      const marks = await open();
      expect(await marks.read('follower/announcements')).toBeNull();
      await marks.write('follower/announcements', '00000000000000000007');
      await marks.write('follower/announcements', '00000000000000000009');
      expect(await marks.read('follower/announcements')).toBe('00000000000000000009');
      await marks.remove('follower/announcements');
      await marks.remove('follower/announcements');
      expect(await marks.read('follower/announcements')).toBeNull();
    });

    it('separate names, whatever is in them, and keep values as they are', async () => {
      const marks = await open();
      const names = ['a', 'a/b', '$gt{"a":1}.x', "';--", 'ä ö', '%2F', ''];
      for (const name of names) await marks.write(name, `value of ${name}\n{"a":"ä"}`);
      for (const name of names) expect(await marks.read(name)).toBe(`value of ${name}\n{"a":"ä"}`);
      await marks.remove('a');
      expect(await marks.read('a/b')).not.toBeNull();
    });

    it('written first by several at once have one value, which all of them get', async () => {
      const marks = await open();
      const got = await Promise.all(Array.from({ length: 8 }, (_, n) => marks.writeFirst('first', String(n))));
      expect(new Set(got).size).toBe(1);
      expect(await marks.writeFirst('first', 'late')).toBe(got[0]);
      expect(await marks.read('first')).toBe(got[0]);
    });

    it('written by several at once have one of their values', async () => {
      const marks = await open();
      await Promise.all(Array.from({ length: 8 }, (_, n) => marks.write('one', String(n))));
      expect(Number(await marks.read('one'))).toBeLessThan(8);
    });
  });
}
