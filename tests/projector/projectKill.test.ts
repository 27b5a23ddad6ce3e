/** `kill -9` in the middle of batches, fills and rebuilds: the documents equal those of one clean pass. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { bundled } from '../given/bundled.ts';
import { projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { append, burned, filled, moved, TOYS_WITH_SUMS } from '../projections/toys.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const EVENTS = 3000;
const BATCHES = EVENTS / 20;

/** Starts a projecting process and kills it after that many batches, or when it is done. */
function projectAndKill(folder: string, batches: number, mode: string): Promise<string> {
  const child = spawn(process.execPath, [bundled(join(root, 'tests/projector/projectChild.ts')), folder, mode], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
    if (output.length >= batches || output.endsWith('ready')) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('close', () => resolve(output)));
}

it('killed again and again, while filling and rebuilding, nothing is lost or duplicated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-kill-'));
  const store = openSqliteEventStore({ file: join(folder, 'events.db') });
  const box = (n: number) => `b${n % 37}`;
  for (let n = 0; n < EVENTS; n++)
    await append(
      store,
      n % 13 === 0 ? moved(box(n), 'ada', 'bob') : n % 29 === 0 ? burned(box(n)) : filled(box(n), n % 5),
    );
  await store.close();

  let interrupted = 0;
  for (const [batches, mode] of [
    [20, ''],
    [45, ''],
    [BATCHES * 2, ''],
    [30, 'rebuild'],
    [BATCHES + 40, 'rebuild'],
    [10_000, 'rebuild'],
  ] as const) {
    if (!(await projectAndKill(folder, batches, mode)).endsWith('ready')) interrupted += 1;
  }
  expect(interrupted).toBeGreaterThan(2);

  const log = openSqliteEventStore({ file: join(folder, 'events.db') });
  const readModels = openSqliteReadModels({ file: join(folder, 'readModels.db') });
  const clean = memoryReadModels();
  const pass = projecting(log, clean, TOYS_WITH_SUMS);
  await pass.ready;
  for (const { name } of TOYS_WITH_SUMS)
    expect(await documentsOf(readModels, name)).toEqual(await documentsOf(clean, name));
  expect(Object.keys(await documentsOf(clean, 'boxes')).length).toBeGreaterThan(20);
  await pass.stop();
  await Promise.all([readModels.close(), clean.close(), log.close()]);
  rmSync(folder, { recursive: true });
}, 60_000);
