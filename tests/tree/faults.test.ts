/**
 * The planted faults (`npm run faults`) fit the code: that the tests find them takes minutes to show, that they can be
 * planted does not.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../scripts/faults/all.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const all = Object.values(FAULTS).flat();

describe('the planted faults', () => {
  it('are at least ten an area, each under a name of its own', () => {
    expect(Object.keys(FAULTS)).toEqual(['domain', 'stores', 'projections', 'work', 'http', 'audit', 'web']);
    for (const faults of Object.values(FAULTS)) expect(faults.length).toBeGreaterThanOrEqual(10);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it.each(all)('$id can be planted, and the tests that find it exist', ({ file, find, replace, tests }) => {
    expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });
});
