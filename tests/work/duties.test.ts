/** Checks the folder itself: each duty is one file with one test, listed, and named after its file. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../src/domain/eventTypes.ts';
import { createFollowers } from '../../src/work/followers/all.ts';
import { createSweeps } from '../../src/work/sweeps/all.ts';
import { product } from '../given/commands.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { nothingToVerify } from '../given/work/verifying.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Files of a folder that create a duty. */
const dutiesIn = (folder: string): readonly string[] =>
  readdirSync(at(folder))
    .map((file) => file.replace(/\.ts$/, ''))
    .filter((name) =>
      readFileSync(at(`${folder}/${name}.ts`), 'utf8').includes(
        `export function create${name.replace(/^./, (first) => first.toUpperCase())}(`,
      ),
    );
const testsIn = (folder: string): readonly string[] =>
  readdirSync(at(folder)).map((file) => file.replace(/\.test\.ts$/, ''));

const { store, context } = product();
const readModels = memoryReadModels();
const parts = {
  store,
  context,
  readModels,
  snapshots: readModels.snapshots,
  mailer: null,
  payments: null,
  verifyStep: nothingToVerify,
  adminEmail: undefined,
  appUrl: 'https://seo.example.com',
  itemsFile: () => '',
  recordsRuns: 5,
  problems: async () => [],
};

describe('the followers', () => {
  const followers = createFollowers(parts);
  it('each have a file, a test and a line in the list', () => {
    expect(followers.length).toBeGreaterThan(10);
    const names = followers.map(({ name }) => name).sort();
    expect(names).toEqual([...dutiesIn('src/work/followers')].sort());
    expect(names).toEqual([...testsIn('tests/work/followers')].sort());
  });

  it('handle existing event types', () => {
    const types = followers.flatMap((follower) => follower.types);
    expect(types.filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))).toEqual([]);
    expect(followers.filter((follower) => follower.types.length === 0)).toEqual([]);
  });
});

describe('the sweeps', () => {
  it('each have a file, a test and a line in the list', () => {
    const names = createSweeps({
      ...parts,
      claims: parts.readModels.claims,
      marks: parts.readModels.marks,
      kinds: [],
      reportKinds: [],
      keptDays: 90,
    })
      .map(({ name }) => name)
      .sort();
    expect(names.length).toBeGreaterThan(4);
    expect(names).toEqual([...dutiesIn('src/work/sweeps')].sort());
    expect(names).toEqual([...testsIn('tests/work/sweeps')].sort());
  });
});
