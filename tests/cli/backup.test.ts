/** `npm run backup`, run as a user runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IDENTITY_STREAM } from '../../src/domain/installation/events.ts';
import { answerRequests, backupHandler, requestBackup, sendRequest } from '../../src/eventStore/folderRequests.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { openEventDatabase } from '../../src/eventStore/sqlite/sqliteFile.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { readLastBackup } from '../../src/start/monitor/lastBackup.ts';
import { newEvents, refusal, wholeLog } from '../contract/eventStoreHarness.ts';
import { bundled } from '../given/bundled.ts';
import { dataFolder, rebuiltAccounts, withAccount } from '../given/product/folder.ts';
import { allDocuments, livedIn, readModelsOf } from '../given/product/livedIn.ts';
import { runProgram } from '../given/product/program.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const AT = '2026-03-10T12:00:00.000Z';
const home = '<!doctype html><html lang="en"><title>A home page</title><h1>Home</h1><p>Text.</p>';

let site: TestSite;
let data: string;
let copies: string;
let owner: ChildProcess | null = null;
beforeAll(async () => {
  site = await startTestSite({ '/': home });
});
afterAll(() => site.close());
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'backup-'));
  copies = join(data, 'copies');
});
afterEach(() => {
  owner?.kill('SIGKILL');
  owner = null;
  rmSync(data, { recursive: true });
});

async function backup(args: readonly string[] = ['--to', copies], env: Readonly<Record<string, string>> = {}) {
  const ran = await runProgram('backup', args, { DATA_DIR: data, ...env });
  return { ...ran, file: ran.output.split('\n')[0] ?? '' };
}

/** Resolves when it has the log open and has acknowledged `writes` writes. */
async function startOwner(mode: 'write' | 'hold', writes = 0): Promise<{ readonly acknowledged: () => number }> {
  const child = spawn(
    process.execPath,
    [bundled(fileURLToPath(new URL('./backupChild.ts', import.meta.url))), data, mode],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  owner = child;
  let last = -1;
  await new Promise<void>((ready) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line !== 'open') last = Number(line);
      if (last + 1 >= writes) ready();
    });
  });
  return { acknowledged: () => last + 1 };
}

const open = (file: string) => openSqliteEventStore({ file });

describe('npm run backup', () => {
  it('records when it ran, for the system page', async () => {
    const log = open(join(data, 'events.db'));
    await log.close();
    expect(await readLastBackup(data)).toBeNull();
    expect(await backup()).toMatchObject({ code: 0 });
    expect(await readLastBackup(data)).toMatchObject({ events: 0, at: expect.stringMatching(/^20/) });
  });

  it('copies a log that a running server is writing to: intact, complete up to one point, enough to rebuild everything', async () => {
    const before = open(join(data, 'events.db'));
    await livedIn(before, site.host);
    const past = await wholeLog(before);
    const expected = await allDocuments(await readModelsOf(before));
    await before.close();
    const running = await startOwner('write', 200);

    const written = running.acknowledged();
    const { code, output, file } = await backup();
    expect(output).toMatch(/events up to \d{20}, \d+\.\d MB, sound\.\n$/);
    expect(code).toBe(0);
    expect(readdirSync(copies)).toEqual([file.slice(copies.length + 1)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(running.acknowledged()).toBeGreaterThan(written);
    owner?.kill('SIGKILL');
    await once(owner as ChildProcess, 'close');

    const restored = join(data, 'restored', 'events.db');
    mkdirSync(join(data, 'restored'));
    copyFileSync(file, restored);
    const db = openEventDatabase(restored, 0);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    const copy = open(restored);
    const log = await wholeLog(copy);
    const original = open(join(data, 'events.db'));
    expect(log.length).toBeGreaterThanOrEqual(past.length + written);
    expect(log).toEqual((await wholeLog(original)).slice(0, log.length));
    expect(await allDocuments(await readModelsOf(copy))).toEqual(expected);
    await copy.close();
    await original.close();
  });

  it('copies a log that no process has open, even after its server was killed', async () => {
    await startOwner('hold');
    owner?.kill('SIGKILL');
    await once(owner as ChildProcess, 'close');
    expect(existsSync(join(data, 'backup.sock'))).toBe(true);
    const store = open(join(data, 'events.db'));
    await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
    await store.close();
    const { code, output, file } = await backup();
    expect(output).toMatch(/^.*events-\d{4}-.*\.db\n3 events up to 0{19}3, /);
    expect(code).toBe(0);
    const copy = open(file);
    expect(await wholeLog(copy)).toHaveLength(3);
    await copy.close();
  });

  it('takes the key files along, readable only by their owner, here or in a folder of their own', async () => {
    await open(join(data, 'events.db')).close();
    const keys = ['checkpoint-key.pem', 'demo-admin-password', 'mfa-secret', 'pseudonym-key', 'share-secret'];
    for (const name of keys) writeFileSync(join(data, name), `the ${name}`);
    const { code, file, output } = await backup();
    expect(code).toBe(0);
    const folder = file.replace(/\.db$/, '.keys');
    expect(output).toContain(folder);
    expect(readdirSync(folder).sort()).toEqual(keys);
    for (const name of keys) expect(readFileSync(join(folder, name), 'utf8')).toBe(`the ${name}`);
    expect([folder, join(folder, 'mfa-secret')].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0]);
    const apart = await backup(['--to', copies, '--keys', join(data, 'apart')]);
    expect(readdirSync(join(data, 'apart'))).toEqual([apart.file.slice(copies.length + 1).replace(/\.db$/, '.keys')]);
    expect(readdirSync(copies).filter((name) => name.endsWith('.keys'))).toHaveLength(1);
  });

  it('says which key is missing that links or second factors depend on', async () => {
    const store = withStoredEvents(open(join(data, 'events.db')));
    const recorded = {
      type: 'InstallationKeyRecorded',
      data: { installationId: 'one', key: 'shares', fingerprint: 'f', recordedAt: AT },
    };
    await store.append(
      IDENTITY_STREAM,
      [
        {
          id: randomUUID(),
          type: 'InstallationIdentified',
          data: { installationId: 'one', identifiedAt: AT },
          metadata: metadataAt(AT),
        },
        { id: randomUUID(), ...recorded, metadata: metadataAt(AT) },
      ],
      { expected: 'no_stream' },
    );
    await store.close();
    const missing =
      /Not in this backup: the key that shared links depend on\. \S+share-secret is missing, and SHARE_SECRET is not set\./;
    expect((await backup()).output).toMatch(missing);
    writeFileSync(join(data, 'share-secret'), 'a key');
    expect((await backup()).output).not.toContain('Not in this backup');
  });

  it('records whose log it was, and takes the id along with the key files', async () => {
    const folder = dataFolder(data);
    const { id } = await folder.start({}, withAccount());
    const { code, file } = await backup();
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(data, 'last-backup.json'), 'utf8'))).toMatchObject({
      installationId: id,
      events: expect.any(Number),
    });
    expect(readFileSync(join(file.replace(/\.db$/, '.keys'), 'installation-id'), 'utf8').trim()).toBe(id);
    // Restored elsewhere, with the files of its keys.
    const restored = dataFolder(join(data, 'restored'));
    mkdirSync(restored.dir);
    copyFileSync(file, restored.path('events.db'));
    copyFileSync(join(file.replace(/\.db$/, '.keys'), 'installation-id'), restored.path('installation-id'));
    expect(await restored.start({}, rebuiltAccounts)).toEqual({ id, did: ['ann@example.com'] });
    expect(await folder.start()).toMatchObject({ id });
  });

  it('refuses to copy a log that is missing or of another installation, which would take the place of a good copy', async () => {
    const folder = dataFolder(data);
    const { id } = await folder.start({}, withAccount());
    expect(await backup()).toMatchObject({ code: 0 });
    const copied = readdirSync(copies);
    const record = readFileSync(join(data, 'last-backup.json'), 'utf8');
    rmSync(join(data, 'installation-id'));
    truncateSync(join(data, 'events.db'));
    const refused = await backup();
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^The event log is missing: .*last-backup\.json belongs to the installation.*\n$/),
    });
    expect(refused.output).toContain(`BEGIN_ANEW=${id}`);
    rmSync(join(data, 'events.db'));
    const other = dataFolder(join(data, 'other'));
    mkdirSync(other.dir);
    await other.start({}, withAccount());
    copyFileSync(other.path('events.db'), join(data, 'events.db'));
    expect(await backup()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^.*is the event log of the installation .*\n$/),
    });
    expect(readdirSync(copies)).toEqual(copied);
    expect(readFileSync(join(data, 'last-backup.json'), 'utf8')).toBe(record);
  });

  it('explains why it failed and leaves nothing behind', async () => {
    expect(await backup()).toMatchObject({
      code: 1,
      output: `There is no event log in ${data}: nothing to back up.\n`,
    });
    expect(await backup([])).toMatchObject({
      code: 2,
      output: expect.stringContaining("'--to <folder>' not specified"),
    });
    const servers = { EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false', MONGODB_URL: 'mongodb://127.0.0.1/seo' };
    expect(await backup(undefined, servers)).toMatchObject({
      code: 1,
      output: expect.stringContaining('events are in EventStoreDB'),
    });
    await open(join(data, 'events.db')).close();
    writeFileSync(copies, '');
    expect((await backup()).code).toBe(1);
    const held = open(join(data, 'events.db'));
    const refused = await backup(['--to', join(data, 'elsewhere')]);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('in use by another process') });
    expect(readdirSync(join(data, 'elsewhere'))).toEqual([]);
    await held.close();
  });
});

describe('the socket of a data folder', () => {
  it('is accessible only to its owner, reports errors, and is closed with its server', async () => {
    const asked: string[] = [];
    const full = backupHandler(async (target) => {
      asked.push(target);
      throw new Error('the disk is full');
    });
    const answering = await answerRequests(data, { ...full, echo: async (value) => value });
    const path = join(data, 'backup.sock');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await refusal(requestBackup(data, '/there.db'))).message).toBe('the disk is full');
    expect(asked).toEqual(['/there.db']);
    for (const line of ['nonsense\n', '{}\n', 'x'.repeat(100_000)]) {
      const socket = connect(path);
      socket.on('error', () => undefined).write(line);
      await new Promise((closed) => socket.resume().once('close', closed));
    }
    expect(asked).toHaveLength(1);
    const long = { text: 'x'.repeat(8_000) };
    expect(await sendRequest(data, { echo: long })).toEqual({ answer: long });
    for (const request of [{ unknown: 1 }, { toString: 1 }, { echo: 1, target: '/there.db' }, [1], { target: '' }])
      expect((await refusal(sendRequest(data, request))).message).toMatch(
        /nothing that the server can be asked|needs a target/,
      );
    expect(asked).toHaveLength(1);
    await answering.close();
    expect(await sendRequest(data, { echo: 1 })).toBeNull();
    expect(await requestBackup(data, '/there.db')).toBe(false);
  });
});
