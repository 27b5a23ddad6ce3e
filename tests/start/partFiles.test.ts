/** Files in the making: those of ended processes go, those of living ones and of other machines stay. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { hasEnded, type PartOwner, partOf, removeEndedParts } from '../../src/start/partFiles.ts';
import { temporaryData } from '../given/product/builtServer.ts';
import { runProgram } from '../given/product/program.ts';

let folder: ReturnType<typeof temporaryData>;
beforeEach(() => {
  folder = temporaryData();
});
afterEach(() => folder.remove());

/** As the name of a part says. */
function own(): PartOwner {
  const [, host = '', boot = '', namespace = '', pid, began = ''] =
    /\.(\w+)-(\w+)-(\d+)-(\d+)-(\d+)\.part$/.exec(partOf('x')) ?? [];
  const known = (text: string): string | null => (text === '0' ? null : text);
  return { host, boot: known(boot), namespace: known(namespace), pid: Number(pid), began: known(began) };
}

/** The number of a process that has ended. */
const ended = (): number => spawnSync(process.execPath, ['-e', '']).pid;

describe('a part file', () => {
  it('is removed only if its process is proven to have ended', () => {
    const me = own();
    const other = (change: Partial<PartOwner>): boolean => hasEnded({ ...me, ...change }, me);
    expect(other({})).toBe(false);
    expect(other({ pid: ended() })).toBe(true);
    // Another machine may share the folder, and its numbers mean nothing here.
    expect(other({ host: 'ffffffff', pid: ended() })).toBe(false);
    expect(other({ namespace: '1', pid: ended() })).toBe(false);
    if (process.platform !== 'linux') return;
    // The number was given again, or the machine was started again.
    expect(other({ began: '1' })).toBe(true);
    expect(other({ boot: 'ffffffff' })).toBe(true);
  });

  it('of a living process stays until it is killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)']);
    await once(child, 'spawn');
    const part = partOf(join(folder.dir, 'file'), { ...own(), pid: child.pid ?? 0, began: null });
    writeFileSync(part, '');
    mkdirSync(partOf(join(folder.dir, 'keys'), { ...own(), pid: child.pid ?? 0, began: null }));
    removeEndedParts(folder.dir);
    expect(readdirSync(folder.dir)).toHaveLength(2);
    child.kill('SIGKILL');
    await once(child, 'close');
    removeEndedParts(folder.dir);
    expect(readdirSync(folder.dir)).toEqual([]);
  });

  it('of an earlier version, which does not name its process, goes a day after it was last written', () => {
    const names = [
      'events-2026-01-01T00-00-00.000Z.db.part',
      'events-2026-01-01T00-00-00.000Z.db.part-journal',
      'reading-12.db',
      'share-secret.7',
    ];
    const others = ['events-2026-01-01T00-00-00.000Z.db', 'mine.part', 'share-secret', 'export.ndjson.part'];
    for (const name of [...names, ...others]) writeFileSync(join(folder.dir, name), '');
    removeEndedParts(folder.dir);
    expect(readdirSync(folder.dir)).toHaveLength(names.length + others.length);
    for (const name of [...names, ...others]) utimesSync(join(folder.dir, name), 1, 1);
    removeEndedParts(folder.dir);
    expect(readdirSync(folder.dir).sort()).toEqual(others.sort());
  });

  it('of a killed backup is removed by the next one, wherever it was', async () => {
    const [data, copies, keys] = ['data', 'copies', 'keys'].map((name) => join(folder.dir, name)) as [
      string,
      string,
      string,
    ];
    for (const each of [data, copies, keys]) mkdirSync(each);
    await openSqliteEventStore({ file: join(data, 'events.db') }).close();
    const gone = { ...own(), pid: ended() };
    const left = [
      partOf(join(copies, 'events-a.db'), gone),
      partOf(join(copies, 'events-a.db'), gone).concat('-journal'),
      partOf(join(data, 'reading.db'), gone),
    ];
    for (const file of left) writeFileSync(file, 'x');
    mkdirSync(partOf(join(keys, 'events-a.keys'), gone));
    const foreign = partOf('events-b.db', { ...gone, host: 'ffffffff' });
    writeFileSync(join(copies, foreign), 'x');
    const { code, output } = await runProgram('backup', ['--to', copies, '--keys', keys], { DATA_DIR: data });
    expect([code, output]).toEqual([0, expect.stringContaining('sound')]);
    expect(readdirSync(copies).filter((name) => name.includes('.part'))).toEqual([foreign]);
    expect([readdirSync(keys), readdirSync(data).filter((name) => name.includes('.part'))]).toEqual([[], []]);
  });
});
