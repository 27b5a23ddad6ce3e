/** kill -9 at any moment: every acknowledged event is there, once, and the file opens at once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { openEventDatabase } from '../../../src/eventStore/sqlite/sqliteFile.ts';
import { seededRandom, wholeLog, yields } from '../../contract/eventStoreHarness.ts';
import { bundled } from '../../given/bundled.ts';

const CYCLES = 10;
const script = fileURLToPath(new URL('./sqliteProcess.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'event-store-kill-'));
const file = join(folder, 'events.db');
let child: ChildProcess | null = null;

afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The output lines of the process, killed after `lines` of them. */
async function runAndKill(mode: 'hold' | 'write', lines: number, before?: () => void): Promise<readonly string[]> {
  const process_ = spawn(process.execPath, [bundled(script), file, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = process_;
  const ended = once(process_, 'close');
  const said: string[] = [];
  for await (const line of createInterface({ input: process_.stdout })) {
    said.push(line);
    if (said.length === lines) {
      before?.();
      process_.kill('SIGKILL');
    }
  }
  await ended;
  child = null;
  return said;
}

it(`${CYCLES} kills under load: no acknowledged event is lost, nothing is duplicated, the file is sound`, async () => {
  const random = seededRandom(20_26);
  const acknowledged = new Map<string, string>();
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    for (const line of await runAndKill('write', 2 + Math.floor(random() * 900))) {
      const [kind, ...words] = line.split(' ');
      expect(['open', 'a']).toContain(kind);
      if (kind === 'a') acknowledged.set(`${words[0]} ${words[1]}`, words[2] ?? '');
    }
    const store = openSqliteEventStore({ file });
    const log = await wholeLog(store);
    const stored = new Map(log.map((event) => [`${event.stream} ${event.revision}`, event.id]));
    expect(stored.size).toBe(log.length);
    for (const [place, id] of acknowledged) expect(stored.get(place), place).toBe(id);
    for (const stream of new Set(log.map((event) => event.stream))) {
      const revisions = log.filter((event) => event.stream === stream).map((event) => event.revision);
      expect(revisions).toEqual(revisions.map((_, index) => BigInt(index)));
    }
    await store.close();
  }
  expect(acknowledged.size).toBeGreaterThan(1_000);

  const db = openEventDatabase(file, 0);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
});

it('ES51 a second process on the same file is refused with advice while the first lives, and opens it when that was killed', async () => {
  let refused: unknown;
  const said = await runAndKill('hold', 1, () => {
    try {
      openSqliteEventStore({ file, lockTimeoutMs: 20 });
    } catch (error) {
      refused = error;
    }
  });
  expect(said).toEqual(['open']);
  expect(refused).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(String(refused)).toContain(file);
  expect(String(refused)).toMatch(/in use by another process\. Stop that process first/);

  const store = openSqliteEventStore({ file });
  const before = await wholeLog(store);
  // And the other way round: a process started while this one has the file says so and ends.
  const late = await runAndKill('write', 1_000_000);
  expect(late).toHaveLength(1);
  expect(late[0]).toContain('in use by another process');
  await yields();
  expect(await wholeLog(store)).toEqual(before);
  await store.close();
});
