/**
 * Every version of every stored event ever released, as it was written. Append only: events in existing logs cannot change either. `docs/recipes.md`
 * explains how to add one.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { currentEvent, problemsOf } from '../../src/domain/stored/current.ts';
import type { EventMetadata } from '../../src/domain/stored/metadata.ts';
import { STORED } from '../../src/domain/stored/registry.ts';
import { versionOf } from '../../src/domain/stored/storedType.ts';

type Frozen = { readonly id: string; readonly type: string; readonly data: object; readonly metadata: EventMetadata };

const folder = new URL('frozen/', import.meta.url);
const files = readdirSync(folder).sort();
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const eventOf = (file: string): Frozen => JSON.parse(textOf(file)) as Frozen;
const sums = new Map(
  readFileSync(new URL('SHA256SUMS', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('  ').toReversed() as [file: string, sum: string]),
);

describe('frozen events', () => {
  it('have the checksums recorded when they were added', () => {
    const changed = files.filter((file) => createHash('sha256').update(textOf(file)).digest('hex') !== sums.get(file));
    expect(changed, 'A frozen event was edited, or has no line in SHA256SUMS').toEqual([]);
    expect([...sums.keys()].sort(), 'A frozen event was removed').toEqual(files);
  });

  it('were never edited or removed after the commit that added them', ({ skip }) => {
    const git = (...args: readonly string[]) =>
      spawnSync('git', args, { cwd: new URL('../..', import.meta.url), encoding: 'utf8' });
    const isShallow = git('rev-parse', '--is-shallow-repository').stdout?.trim() !== 'false';
    if (isShallow) skip('The history of the repository is not here.');
    const touched = [
      git('log', '--diff-filter=MD', '--no-renames', '--format=', '--name-only', '--', 'tests/stored/frozen'),
      git('diff', 'HEAD', '--diff-filter=MD', '--no-renames', '--name-only', '--', 'tests/stored/frozen'),
    ];
    expect(touched.map(({ stdout }) => stdout.trim())).toEqual(['', '']);
  });

  it('exist for every version of every type', () => {
    const released = Object.entries(STORED).flatMap(([type, stored]) =>
      Array.from({ length: versionOf(stored) }, (_, index) => `${type}.v${index + 1}.json`),
    );
    expect(files).toEqual(released.sort());
  });

  it.each(files)('%s reads in the current shape', (file) => {
    const frozen = eventOf(file);
    const [, type, version] = /^(\w+)\.v(\d+)\.json$/.exec(file) ?? [];
    expect([frozen.type, frozen.metadata.schemaVersion]).toEqual([type, Number(version)]);
    const read = currentEvent(frozen);
    expect(read).not.toHaveProperty('unreadable');
    expect(problemsOf(read)).toEqual([]);
    // The current version is unchanged; upcasts of older ones have their own tests.
    if (Number(version) === versionOf(STORED[frozen.type as keyof typeof STORED])) expect(read).toBe(frozen);
  });
});
