/** `npm run log`, run as a user runs it. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { product, withAdmin } from '../given/commands.ts';
import { finishedAnalysis } from '../given/finishedAnalysis.ts';
import { runProgram } from '../given/product/program.ts';
import { type HeldLog, holdLog } from '../given/stores/heldLog.ts';
import { type LogFolder, logFolder } from '../given/stores/logFiles.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';

/** With a finished audit: each test has a copy. */
let source: LogFolder;
let jobId: string;
beforeAll(async () => {
  source = logFolder();
  const { store } = source.open('events.db');
  ({ jobId } = await finishedAnalysis({ made: await withAdmin(product(store)) }));
  await store.close();
});
afterAll(() => source.remove());

let folder: LogFolder;
let held: HeldLog | null = null;
beforeEach(() => {
  folder = logFolder();
  mkdirSync(folder.path('data'));
  copyFileSync(source.path('events.db'), folder.path('data/events.db'));
});
afterEach(async () => {
  await held?.close();
  held = null;
  folder.remove();
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram('log', args, { DATA_DIR: folder.path('data'), ...env });
const damage = (sql: string) =>
  folder.path(folder.damaged('data/events.db', (db) => void db.prepare(sql).run(`job-${jobId}`)));

describe('npm run log -- verify', () => {
  it('confirms that a log is intact, and names the proof', async () => {
    const { code, output } = await run(['verify']);
    expect(output).toMatch(
      /^Reading .*events\.db\n\d+ events, no faults\.\n\d+ events name the one before them, the first at \d{20}\.\nProof: the chain of each stream\./,
    );
    expect(code).toBe(0);
  });

  it('names each fault and its place without any values, and exits with 3', async () => {
    const file = damage(
      `UPDATE events SET data = replace(data, 'example.com', 'PLANTED') WHERE stream = ? AND revision = 0`,
    );
    const { code, output } = await run(['verify', '--log', file]);
    expect(output).toMatch(
      new RegExp(
        `^\\d{20} job-${jobId}@0 JobSubmitted: chain: It is not what revision 1 was written on: one of the two was changed\\.$`,
        'm',
      ),
    );
    expect(output).toMatch(/\d+ events, 1 faults?\./);
    expect(output).not.toContain('PLANTED');
    expect(code).toBe(3);
    const { raw } = folder.open('data/events.db');
    const head = await raw.head();
    await raw.close();
    expect((await run(['verify', '--log', file, '--from', String(Number(head))])).code).toBe(0);
  });

  it('verifies a log only against a checkpoint signed with its own key', async () => {
    const out = folder.path('kept.checkpoint.gz');
    const made = await run(['checkpoint', '--out', out]);
    expect(made.output).toMatch(
      /kept\.checkpoint\.gz\n\d+ events up to \d{20}\n {2}digest {5}[\w-]{43}\n {2}public key [\w-]+\n$/,
    );
    expect(made.code).toBe(0);
    expect(statSync(join(folder.path('data'), 'checkpoint-key.pem')).mode & 0o777).toBe(0o600);
    const sound = await run(['verify', '--checkpoint', out]);
    expect(sound).toMatchObject({ code: 0, output: expect.stringContaining('Proof: the checkpoint of ') });
    const cut = damage('DELETE FROM events WHERE position = (SELECT max(position) FROM events WHERE stream <> ?)');
    expect((await run(['verify', '--log', cut])).code).toBe(0);
    expect(await run(['verify', '--log', cut, '--checkpoint', out])).toMatchObject({
      code: 3,
      output: expect.stringContaining('checkpoint: When the checkpoint was made'),
    });

    // Another data folder has another key, or none.
    mkdirSync(folder.path('elsewhere'));
    const there = { DATA_DIR: folder.path('elsewhere') };
    const log = ['verify', '--log', join(folder.path('data'), 'events.db'), '--checkpoint', out];
    expect(await run(log, there)).toMatchObject({
      code: 2,
      output: expect.stringContaining('name the one that signed the checkpoint with --public-key'),
    });
    const key = (await run(['key'])).output.split('\n')[0] ?? '';
    expect((await run([...log, '--public-key', key], there)).code).toBe(0);
    await run(['key'], there);
    expect(await run(log, there)).toMatchObject({
      code: 2,
      output: expect.stringContaining('was signed with another key'),
    });
  });

  it('verifies and checkpoints the log of a running server, and leaves no copy behind', async () => {
    held = await holdLog(folder.path('data'));
    const sound = await run(['verify']);
    expect(sound.output).toMatch(
      /^Reading .*events\.db, as the running server has just copied it\n\d+ events, no faults\./,
    );
    expect(sound.code).toBe(0);
    const out = folder.path('kept.checkpoint.gz');
    expect(await run(['checkpoint', '--out', out])).toMatchObject({
      code: 0,
      output: expect.stringContaining('as the running server has just copied it'),
    });
    expect(await run(['verify', '--checkpoint', out])).toMatchObject({
      code: 0,
      output: expect.stringContaining('Proof: the checkpoint of '),
    });
    expect(readdirSync(folder.path('data')).filter((name) => name.startsWith('reading-'))).toEqual([]);
  });

  it('refuses invalid arguments and files', async () => {
    expect(await run(['verify', '--log', folder.path('none.db')])).toMatchObject({
      code: 2,
      output: expect.stringContaining('There is no event log'),
    });
    expect(await run(['verify', '--from', 'x5'])).toMatchObject({
      code: 2,
      output: expect.stringContaining('A position of the log is a number'),
    });
    for (const far of ['900', '9'.repeat(20)])
      expect(await run(['verify', '--from', far])).toMatchObject({
        code: 2,
        output: expect.stringMatching(/--from: the log ends at \d{20}; there is nothing after/),
      });
    writeFileSync(folder.path('text'), 'PLANTED');
    const bad = await run(['verify', '--checkpoint', folder.path('text')]);
    expect(bad).toMatchObject({ code: 1, output: expect.stringContaining('cannot be read') });
    const out = folder.path('there');
    writeFileSync(out, 'kept');
    expect((await run(['checkpoint', '--out', out])).code).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('kept');
    expect((await run(['nothing'])).code).toBe(2);
  });

  it('reads EventStoreDB, with the key from a setting', async () => {
    const server = await startEventStoreDbServer();
    const env = { EVENTSTORE_URL: server.url, MONGODB_URL: 'mongodb://127.0.0.1:1/x' };
    expect(
      (await runProgram('migrate', ['--from', join(folder.path('data'), 'events.db'), '--to', server.url], {})).code,
    ).toBe(0);
    expect(await run(['verify'], env)).toMatchObject({
      code: 0,
      output: expect.stringContaining('no faults'),
    });
    expect(await run(['verify', '--from', '7'], env)).toMatchObject({
      code: 2,
      output: expect.stringContaining('--from: there is no event at 00000000000000000007'),
    });
    const out = folder.path('server.checkpoint.gz');
    expect(await run(['checkpoint', '--out', out], env)).toMatchObject({
      code: 2,
      output: expect.stringContaining('CHECKPOINT_KEY_FILE: is required'),
    });
    expect(existsSync(out)).toBe(false);
    const keyed = { ...env, CHECKPOINT_KEY_FILE: join(folder.path('data'), 'checkpoint-key.pem') };
    // A checkpoint of the source file: the same events at other positions.
    const before = folder.path('before.checkpoint.gz');
    expect((await run(['checkpoint', '--out', before])).code).toBe(0);
    expect(await run(['verify', '--checkpoint', before], keyed)).toMatchObject({ code: 0 });
    expect((await run(['checkpoint', '--out', out], keyed)).code).toBe(0);
    await server.close();
  });
});
