import { deserialize, serialize } from 'node:v8';
import { expect, it } from 'vitest';
import { addId, compactIds, hasId } from '../../../src/reports/state/compactIds.ts';

const MANY = 20_000;
const idOf = (nth: number): string => `pi_3Q${nth.toString(36).padStart(20, '0')}`;

it('contains exactly the ids that were added', () => {
  const ids = compactIds();
  for (let nth = 0; nth < MANY; nth += 2) addId(ids, idOf(nth));
  for (let nth = 0; nth < MANY; nth += 1) expect(hasId(ids, idOf(nth))).toBe(nth % 2 === 0);
});

it('counts an id that is added again once, and grows with its ids', () => {
  const ids = compactIds();
  for (let nth = 0; nth < MANY * 2; nth += 1) addId(ids, idOf(nth % MANY));
  expect(ids.size).toBe(MANY);
  expect(ids.slots.byteLength).toBeLessThan(MANY * 32);
});

it('contains the same ids after saving and loading', () => {
  const ids = compactIds();
  for (let nth = 0; nth < MANY; nth += 1) addId(ids, idOf(nth));
  const restored: typeof ids = deserialize(serialize(ids));
  addId(restored, idOf(MANY));
  expect(hasId(restored, idOf(17))).toBe(true);
  expect(hasId(restored, idOf(MANY))).toBe(true);
  expect(hasId(restored, idOf(MANY + 1))).toBe(false);
});

it('distinguishes ids that differ in their first or last character only', () => {
  const ids = compactIds();
  addId(ids, 'pi_a');
  expect(['pi_b', 'qi_a', 'pi_', 'pi_aa', ''].filter((id) => hasId(ids, id))).toEqual([]);
});
