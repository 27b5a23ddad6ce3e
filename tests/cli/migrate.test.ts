/** `npm run migrate`, run as a user runs it. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BadInput, logAt } from '../../src/cli/logAt.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { readLogged } from '../../src/start/identity/settleIdentity.ts';
import { idsOf, newEvents, wholeLog } from '../contract/eventStoreHarness.ts';
import { dataFolder, rebuiltAccounts, withAccount } from '../given/product/folder.ts';
import { OLD_LOG } from '../given/product/oldInstallation.ts';
import { runProgram } from '../given/product/program.ts';
import { startEventStoreDbServer } from '../servers/eventStoreDb.ts';

let folder: string;
let from: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  from = join(folder, 'events.db');
  to = join(folder, 'new', 'events.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const migrate = (args: readonly string[] = ['--from', from, '--to', to], env: Readonly<Record<string, string>> = {}) =>
  runProgram('migrate', args, env);

const open = (file: string) => openSqliteEventStore({ file });

async function filled(file: string, count = 5): Promise<readonly string[]> {
  const store = open(file);
  await store.append('thing-1', newEvents(count), { expected: 'no_stream' });
  await store.append('thing-2', newEvents(count), { expected: 'no_stream' });
  const ids = idsOf(await wholeLog(store));
  await store.close();
  return ids;
}

describe('npm run migrate', () => {
  it('copies a log to another file, prints the proof, and can be repeated', async () => {
    const ids = await filled(from);
    const first = await migrate();
    expect(first.output).toMatch(
      /Copied 10 events in \d+\.\d s; 0 were there already\.\n {2}source 10 events, SHA-256 ([0-9a-f]{64})\n {2}target 10 events, SHA-256 \1\n/,
    );
    expect(first.output).toContain('The logs are equal.');
    expect(first.output).toContain(`DATA_DIR=${join(folder, 'new')}`);
    expect(first.code).toBe(0);
    const again = await migrate();
    expect(again.output).toMatch(/Copied 0 events .* 10 were there already/);
    const store = open(to);
    expect(idsOf(await wholeLog(store))).toEqual(ids);
    await store.close();
  });

  it('copies to an EventStoreDB and back', async () => {
    const ids = await filled(from);
    const server = await startEventStoreDbServer();
    const there = await migrate(['--from', from], { EVENTSTORE_URL: server.url });
    expect(there.output).toContain(`Copying ${from} to ${server.url}\nCopied 10 events`);
    expect(there.output).toContain('an empty MONGODB_URL database');
    expect(there.code).toBe(0);
    expect(await migrate(['--from', server.url, '--to', to])).toMatchObject({
      code: 0,
      output: expect.stringContaining('The logs are equal.'),
    });
    const store = open(to);
    expect(idsOf(await wholeLog(store))).toEqual(ids);
    await store.close();
    await server.close();
    const away = await migrate(['--from', from, '--to', server.url.replace('://', '://user:secret@')]);
    expect(away).toMatchObject({
      code: 1,
      output: expect.stringMatching(/The event store at 127\.0\.0\.1:\d+ does not answer/),
    });
    expect(away.output).not.toContain('secret');
  });

  it('reports how many streams were renumbered', async () => {
    await filled(from);
    const store = open(from);
    await store.truncate('thing-2', 2n);
    await store.close();
    expect((await migrate()).output).toContain(
      'Streams whose first events are gone at the source: 1. They are whole in order and content, and numbered from 0',
    );
  });

  it('refuses a log that a server is using, and a file that is not a log', async () => {
    await filled(from);
    const server = open(from);
    expect(await migrate()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/events\.db is in use by another process\. Stop that process first/),
    });
    await server.close();
    expect(existsSync(to)).toBe(false);
    writeFileSync(join(folder, 'text.db'), 'not a database, but long enough to be looked at as one. '.repeat(100));
    expect(await migrate(['--from', join(folder, 'text.db'), '--to', to])).toMatchObject({
      code: 1,
      output: expect.stringContaining('not a database'),
    });
  });

  it('refuses a target that holds other events', async () => {
    await filled(from);
    await filled(to, 3);
    expect(await migrate()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/The target holds something else: its event 1 is ThingHappened in thing-1/),
    });
  });

  it('refuses a target beside read models that were built from another log', async () => {
    await filled(from);
    mkdirSync(join(folder, 'new'));
    writeFileSync(join(folder, 'new', 'readModels.db'), '');
    expect(await migrate()).toMatchObject({
      code: 2,
      output: expect.stringMatching(/readModels\.db is there and was built from another log\. Move it away first/),
    });
    await filled(to, 0);
    expect((await migrate()).output).toMatch(/Remove .*readModels\.db first: it was built from another log/);
  });

  it('takes the identity along: to another folder, to an EventStoreDB and back, and the old folder still agrees', async () => {
    const old = dataFolder(folder);
    const { id } = await old.start({}, withAccount());
    expect(await migrate()).toMatchObject({ code: 0, output: expect.stringContaining('The logs are equal.') });
    const moved = dataFolder(join(folder, 'new'));
    expect(await moved.start({}, rebuiltAccounts)).toEqual({ id, did: ['ann@example.com'] });
    expect(moved.read('installation-id')).toBe(id);
    const server = await startEventStoreDbServer();
    expect(await migrate(['--from', from, '--to', server.url])).toMatchObject({ code: 0 });
    const store = await openEventStoreDb({ url: server.url });
    expect(await readLogged(store)).toMatchObject({ id });
    await store.close();
    const back = join(folder, 'back', 'events.db');
    expect(await migrate(['--from', server.url, '--to', back])).toMatchObject({ code: 0 });
    await server.close();
    expect(await dataFolder(join(folder, 'back')).start({}, rebuiltAccounts)).toEqual({ id, did: ['ann@example.com'] });
    expect(await old.start()).toMatchObject({ id });
  });

  it('gives a log from before identities the same one everywhere', async () => {
    copyFileSync(OLD_LOG, from);
    expect(await migrate()).toMatchObject({ code: 0 });
    const { id } = await dataFolder(join(folder, 'new')).start();
    expect(await dataFolder(folder).start()).toMatchObject({ id });
  });

  it('refuses a log that is missing, and a folder of another installation', async () => {
    const old = dataFolder(folder);
    const { id } = await old.start({}, withAccount());
    renameSync(from, join(folder, 'kept'));
    await open(from).close();
    const missing = await migrate();
    expect(missing).toMatchObject({ code: 1, output: expect.stringMatching(/^The event log is missing: .*\n$/) });
    expect(missing.output).toContain(String(id));
    renameSync(join(folder, 'kept'), from);
    mkdirSync(join(folder, 'new'));
    writeFileSync(join(folder, 'new', 'installation-id'), '0b6d2a57-70f1-4c0a-9d0a-5b1f6f0f2c3e');
    expect(await migrate()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^.*is the event log of the installation .*\n$/),
    });
    expect(existsSync(to)).toBe(false);
  });

  it('explains invalid arguments', async () => {
    await filled(from);
    const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [[], /required option '--from <log>' not specified/],
      [['--from', from], /required option '--to <log>' not specified/],
      [['--from', join(folder, 'none.db'), '--to', to], /--from: there is no file .*none\.db/],
      [['--from', from, '--to', from], /--from and --to are the same log/],
      [
        ['--from', from, '--to', 'mongodb://user:secret@127.0.0.1/seo'],
        /--to: mongodb:\/\/user:\*\*\*@127\.0\.0\.1\/seo is neither a file nor an esdb:\/\/ address/,
      ],
      [['--from', from, '--to', to, '--fast'], /unknown option '--fast'/],
    ];
    const answers = await Promise.all(wrong.map(([args]) => migrate(args)));
    for (const [index, { code, output }] of answers.entries()) {
      expect(output).toMatch(wrong[index]?.[1] ?? /never/);
      expect(output).not.toContain('secret');
      expect(code).toBe(2);
    }
    expect(existsSync(to)).toBe(false);
    // Refused in the same way.
    expect(() => logAt('esdb://', '--to')).toThrow(
      new BadInput('--to: esdb:// is neither a file nor an esdb:// address.'),
    );
    expect(() => logAt(folder, '--from')).toThrow(
      new BadInput(`--from: ${folder} is a folder. Name the file in it, such as ${from}.`),
    );
  });
});
