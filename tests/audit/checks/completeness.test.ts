import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Category } from '../../../src/audit/checks/check.ts';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { weightOf } from '../../../src/audit/score.ts';
import { CATEGORY_CAPS, LIMITS, WEIGHTS } from '../../../src/audit/weights.ts';
import { CASES } from './cases/all.ts';

const folder = fileURLToPath(new URL('../../../src/audit/checks/', import.meta.url));
const categories = Object.keys(CATEGORY_CAPS) as Category[];
const files = categories.flatMap((category) =>
  readdirSync(`${folder}${category}`).map((name) => ({ category, id: name.replace(/\.ts$/, ''), path: `${folder}${category}/${name}` })),
);
const ids = CHECKS.map((check) => check.id);

test('there are checks to look at', () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
});

test('every file is in the list, and the list is sorted without repeats', () => {
  expect(files.map((file) => file.id).sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test.each(categories)('the list of %s is sorted', (category) => {
  const text = readFileSync(`${folder}${category}Checks.ts`, 'utf8');
  const listed = [...text.matchAll(/^import \{ \w+ \} from '\.\/\w+\/([\w-]+)\.ts';$/gm)].map((match) => match[1]);
  expect(listed.length).toBeGreaterThan(0);
  expect(listed).toEqual(
    files
      .filter((file) => file.category === category)
      .map((file) => file.id)
      .sort(),
  );
});

test.each(CHECKS.map((check) => [check.id, check] as const))('%s is named after its file, in kebab-case, in the folder of its category', (id, check) => {
  expect(files).toContainEqual(expect.objectContaining({ id, category: check.category }));
  expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
});

test.each(CHECKS.map((check) => [check.id, check] as const))('%s has its texts, its source and a weight', (_, check) => {
  for (const text of [check.title, check.why, check.fix, check.businessValue, check.timeToResult, check.source, check.group])
    expect(text.length).toBeGreaterThan(2);
  expect(check.minutes).toBeGreaterThan(0);
  expect(check.tags.length).toBeGreaterThan(0);
  expect(weightOf(check.id, check.impact)).toBeGreaterThan(0);
});

test.each(ids)('%s has cases that pass and cases with faults', (id) => {
  expect(CASES[id]?.passes.length).toBeGreaterThan(0);
  expect(CASES[id]?.finds.length).toBeGreaterThan(0);
});

test('no case is for a check that does not exist', () => {
  expect(Object.keys(CASES).filter((id) => !ids.includes(id))).toEqual([]);
});

test('weights and limits name checks that exist', () => {
  const named = [...Object.keys(WEIGHTS), ...LIMITS.flatMap((limit) => limit.checkIds)];
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(files.map((file) => [file.id, file] as const))('%s is one short file that reads no HTML', (_, file) => {
  const text = readFileSync(file.path, 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(61);
  expect(text).not.toMatch(/parse5|parsePage|from 'node:/);
});
