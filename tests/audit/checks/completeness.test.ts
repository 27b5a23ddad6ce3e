import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Check } from '../../../src/audit/checks/check.ts';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { SCHEMA_NEEDS } from '../../../src/audit/checks/schemaOrg/schemaNeeds.ts';
import { GATE_CHECKS } from '../../../src/audit/gate.ts';
import { weightOf } from '../../../src/audit/score.ts';
import { COUNTED_BY_PAGE, WEIGHTS } from '../../../src/audit/weights.ts';
import { CATEGORY_ORDER } from '../../../src/model/findings.ts';
import { stepsText } from '../../../src/model/wording.ts';
import { CASES } from './cases/all.ts';

const folder = fileURLToPath(new URL('../../../src/audit/checks/', import.meta.url));
const categories = CATEGORY_ORDER;
const sources = (path: string): readonly string[] =>
  readdirSync(`${folder}${path}`, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
/** A check is in the folder of its category, or in that of its group below it. */
const files = categories.flatMap((category) =>
  sources(category).map((name) => ({
    category,
    group: dirname(name),
    id: basename(name, '.ts'),
    path: `${folder}${category}/${name}`,
  })),
);
const ids = CHECKS.map((check) => check.id);

/** Ids of the checks for which it does not hold. */
const without = (holds: (check: Check) => boolean): readonly string[] =>
  CHECKS.filter((check) => !holds(check)).map(({ id }) => id);

test('the catalog of checks is not empty', () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
});

test('every file is in the list, and the list is sorted without repeats', () => {
  expect(files.map((file) => file.id).sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('every check is named after its file, in kebab-case, in the folder of its category and group', () => {
  const stands = ({ id, category, group }: Check) =>
    files.some((file) => file.id === id && file.category === category && ['.', group].includes(file.group));
  expect(without(stands)).toEqual([]);
  expect(without(({ id }) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test('every check has its texts, its source, its effort and a weight', () => {
  const texts = ({ title, risk, gain, steps, timeToResult, source, group }: Check) => [
    title,
    risk,
    gain,
    stepsText(steps),
    timeToResult,
    source,
    group,
  ];
  expect(without((check) => texts(check).every((text) => text.length > 2))).toEqual([]);
  expect(without(({ minutes, tags }) => minutes > 0 && tags.length > 0)).toEqual([]);
  // Only the search engine knows whether it is refused, too.
  expect(without(({ id, impact }) => weightOf(id, impact) > 0)).toEqual(['googlebot-refused']);
});

test('every source is public documentation or a named rule, not a file of another program', () => {
  expect(
    CHECKS.filter(({ source }) => /[\w-]\.(js|ts|go)\b/.test(source)).map(({ id, source }) => `${id}: ${source}`),
  ).toEqual([]);
});

test('every check has passing and failing cases', () => {
  expect(without(({ id }) => (CASES[id]?.passes.length ?? 0) > 0 && (CASES[id]?.finds.length ?? 0) > 0)).toEqual([]);
});

test('no case is for an unknown check', () => {
  expect(Object.keys(CASES).filter((id) => !ids.includes(id))).toEqual([]);
});

test('weights and the gate name existing checks', () => {
  const named = [...Object.keys(WEIGHTS), ...GATE_CHECKS, ...COUNTED_BY_PAGE];
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

test('no check reads HTML', () => {
  const texts = files.map(({ id, path }) => ({ id, text: readFileSync(path, 'utf8') }));
  expect(texts.filter(({ text }) => /parse5|parsePage|from 'node:/.test(text)).map(({ id }) => id)).toEqual([]);
});

test('the days on which the documentation of types was read are days', () => {
  const days = Object.values(SCHEMA_NEEDS).map(({ looked }) => looked);
  expect(days.length).toBeGreaterThan(0);
  expect(days.filter((day) => new Date(day).toISOString().slice(0, 10) !== day)).toEqual([]);
});

test('the documentation of each type with markup to complete is the source of a check', () => {
  const sources = CHECKS.map(({ source }) => source);
  const named = Object.values(SCHEMA_NEEDS).flatMap((needs) => ('source' in needs ? [needs.source] : []));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((address) => !sources.some((source) => source.includes(`${address})`)))).toEqual([]);
});
