/** `npm run admin`, run as a user runs it. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addGrantCredits } from '../../src/cli/admin/grantCredits.ts';
import { addJobs, addUsers } from '../../src/cli/admin/lists.ts';
import { addMails } from '../../src/cli/admin/mails.ts';
import { addParked } from '../../src/cli/admin/parked.ts';
import { addRevoke } from '../../src/cli/admin/rights.ts';
import { addWork } from '../../src/cli/admin/work.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { loadState } from '../../src/commands/handle.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { START } from '../../src/eventStore/eventStore.ts';
import { createPasswords } from '../../src/integrations/passwords.ts';
import { openStores, type Stores } from '../../src/start/openStores.ts';
import { startProjector } from '../../src/start/startProjector.ts';
import { READ_MODELS, WORK_RULES } from '../../src/work/rules.ts';
import { product, userOf } from '../given/commands.ts';
import { printedBy, refusalOf } from '../given/product/adminCommand.ts';
import { logIn } from '../given/product/apiClient.ts';
import { startBuiltServer } from '../given/product/builtServer.ts';
import { runProgram } from '../given/product/program.ts';
import { openSocket } from '../given/product/socket.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { projecting } from '../given/stores/projections.ts';

let data: string;
let stores: Stores | null = null;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'admin-'));
});
afterEach(async () => {
  await stop();
  rmSync(data, { recursive: true });
});

async function start(): Promise<Stores> {
  stores = await openStores({ servers: null, DATA_DIR: data }, pino({ level: 'silent' }));
  return stores;
}
async function stop(): Promise<void> {
  await stores?.close();
  stores = null;
}
const admin = (...args: readonly string[]) => runProgram('admin', args, { DATA_DIR: data });
/** With `--json`, standard output is one JSON document and nothing else. */
const json = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await admin(...args, '--json')).output);
/** In this process: lists that differ only in what they contain. */
const printed = (add: Parameters<typeof printedBy>[0], ...args: readonly string[]) => printedBy(add, args, data);
const printedJson = async (...given: Parameters<typeof printed>): Promise<unknown> =>
  JSON.parse(await printed(...given, '--json'));
const creditsOf = async ({ store }: Stores, userId: string) =>
  (await loadState(store, billingDecider, billingStream(userId))).state.credits;

describe('npm run admin -- users, jobs', () => {
  it('list users and jobs, whether or not the server is running', async () => {
    const given = await start();
    const userId = await userOf(product(given.store));
    const projecting = startProjector(given, pino({ level: 'silent' }));
    await projecting.ready;
    const at = '2026-03-01T12:00:00.000Z';
    const data = {
      jobId: 'j1',
      userId,
      url: 'https://shop.example/',
      host: 'shop.example',
      bounds: { maxPages: 5, maxMs: 1_000 },
      access: 'full',
      submittedAt: at,
    };
    const { position } = await given.store.append(
      'job-j1',
      [{ id: randomUUID(), type: 'JobSubmitted', data, metadata: metadataAt(at) }],
      { expected: 'any' },
    );
    await given.readModels.reached(['jobs', 'userProgress'], position, 5_000);
    const user = /EMAIL +DOMAIN .*\nann@example\.com +– +0 +0 +0% +0 min +2026-03-01T12:00:00Z\n$/;
    const job = /JOB +SITE .*\nj1 +shop\.example +ann@example\.com +pending +- +2026-03-01T12:00:00Z\n$/;
    expect(await admin('users', '--search', 'AN')).toEqual({ code: 0, output: expect.stringMatching(user) });
    expect(await admin('jobs', '--status', 'active')).toEqual({ code: 0, output: expect.stringMatching(job) });
    await projecting.stop();
    await stop();
    expect(await printed(addUsers, 'users', '--search', 'AN')).toMatch(user);
    expect(await printed(addJobs, 'jobs', '--status', 'active')).toMatch(job);
    expect(await printed(addJobs, 'jobs')).toMatch(job);
    expect(await admin('jobs', '--status', 'finished')).toEqual({ code: 0, output: 'None.\n' });
    expect(await printed(addUsers, 'users', '--search', 'nobody')).toBe('None.\n');
    const user1 = {
      email: 'ann@example.com',
      domain: '–',
      totalActions: 0,
      completedActions: 0,
      completionPercentage: 0,
      timeSavedMinutes: 0,
    };
    expect(await json('users')).toEqual({ rows: [{ ...user1, lastActivity: at }], more: false });
    const job1 = {
      jobId: 'j1',
      host: 'shop.example',
      email: 'ann@example.com',
      status: 'pending',
      score: null,
      notJudged: null,
      submittedAt: at,
    };
    expect(await printedJson(addJobs, 'jobs', '--status', 'active')).toEqual({ rows: [job1], more: false });
    expect(await printedJson(addJobs, 'jobs', '--status', 'finished')).toEqual({ rows: [], more: false });
    expect(await refusalOf(addUsers, ['users', '--limit', '0'])).toBe('commander.invalidArgument');
  });
});

describe('npm run admin -- grant-credits', () => {
  it('grants credits whether or not the server is running, and the same grant only once', async () => {
    const userId = await userOf(product((await start()).store));
    const grant = ['grant-credits', 'ann@example.com', '3', '--reason', 'A gift'];
    expect(await admin(...grant)).toEqual({
      code: 0,
      output: 'ann@example.com was granted 3 credits and has 3 now.\n',
    });
    await stop();
    expect(await admin(...grant, '--id', 'one')).toEqual({
      code: 0,
      output: 'ann@example.com was granted 3 credits and has 6 now.\n',
    });
    expect(await admin(...grant, '--id', 'one')).toMatchObject({ code: 0 });
    expect(await creditsOf(await start(), userId)).toBe(6);
  });

  it('explains why a grant is refused', async () => {
    expect(await admin('grant-credits', 'ann@example.com', '3', '--reason', 'A gift')).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no event log'),
    });
    await start();
    expect(await admin('grant-credits', 'no@example.com', '3', '--reason', 'A gift')).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no account'),
    });
    expect(await admin('grant-credits', 'ann@example.com', '0', '--reason', 'A gift')).toMatchObject({ code: 2 });
    for (const [wrong, refusal] of [
      [['0', '--reason', 'A gift'], 'commander.invalidArgument'],
      [['x', '--reason', 'A gift'], 'commander.invalidArgument'],
      [['3'], 'commander.missingMandatoryOptionValue'],
      [['3', '--reason', ' '], 'commander.invalidArgument'],
    ] as const)
      expect([wrong, await refusalOf(addGrantCredits, ['grant-credits', 'ann@example.com', ...wrong])]).toEqual([
        wrong,
        refusal,
      ]);
  });
});

describe('npm run admin -- grant, revoke', () => {
  it('change admin rights whether or not the server is running', async () => {
    const made = product((await start()).store);
    await userOf(made, 'first@example.com');
    await userOf(made);
    expect(await admin('grant', 'ann@example.com')).toEqual({ code: 0, output: 'ann@example.com is an admin now.\n' });
    await stop();
    expect(await admin('grant', 'ann@example.com')).toEqual({
      code: 0,
      output: 'ann@example.com is an admin already.\n',
    });
    expect(await admin('revoke', 'ann@example.com')).toEqual({
      code: 0,
      output: 'ann@example.com is no longer an admin.\n',
    });
    expect(await admin('revoke', 'first@example.com')).toMatchObject({
      code: 1,
      output: expect.stringContaining('the last admin'),
    });
    expect(await refusalOf(addRevoke, ['revoke'])).toBe('commander.missingArgument');
    expect(await admin('reset-mfa', 'ann@example.com')).toEqual({
      code: 0,
      output: 'ann@example.com has no two-factor authentication.\n',
    });
  });
});

describe('npm run admin -- revoke beside a running server', () => {
  it('closes the admin channels that a former admin has open', async () => {
    const password = 'a good password';
    const made = product((await start()).store);
    // The first account is an admin, and the last admin cannot be revoked.
    await userOf(made, 'first@example.com');
    await signUp(made.context(), {
      email: 'ann@example.com',
      name: 'Ann',
      passwordHash: await createPasswords({ maxParallel: 1, maxQueue: 1 }).hash(password),
    });
    await stop();
    expect(await admin('grant', 'ann@example.com')).toMatchObject({ code: 0 });
    const server = await startBuiltServer(data, { DEMO: 'false' });
    try {
      const ann = await logIn(server.url, { email: 'ann@example.com', password });
      const socket = await (await openSocket(server.url)).logIn(ann.token);
      await socket.subscribe('admin:jobs');
      expect(await admin('revoke', 'ann@example.com')).toMatchObject({ code: 0 });
      expect(await socket.next(({ type }) => type === 'error')).toEqual({
        type: 'error',
        code: 'FORBIDDEN',
        channel: 'admin:jobs',
      });
      await expect(socket.subscribe('admin:jobs')).rejects.toThrow('FORBIDDEN');
      await socket.close();
    } finally {
      await server.stop();
    }
  });
});

describe('npm run admin -- parked', () => {
  it('lists parked events with their errors and retries them, whether or not the server is running', async () => {
    const parkedIn = async (): Promise<void> => {
      const { readModels } = await start();
      const record = {
        model: 'boards',
        build: 'v1',
        documentId: 'd1',
        position: START,
        eventType: 'ActionStarted',
        error: 'TypeError: no',
        parkedAt: '2026-03-10T12:00:00.000Z',
      };
      await readModels.prepare({ name: 'boards', version: 1, indexes: [] }, 'v1');
      await readModels.commit([{ model: 'boards', build: 'v1', checkpoint: START, writes: [], park: [record] }]);
    };
    await start();
    expect(await admin('parked')).toEqual({ code: 0, output: 'No events are parked.\n' });
    await stop();
    await parkedIn();
    const { output } = await admin('parked');
    expect(output.replaceAll(/ +/g, ' ')).toBe(
      `MODEL DOCUMENT EVENT POSITION PARKED FAULT\nboards d1 ActionStarted ${START} 2026-03-10T12:00:00Z TypeError: no\n`,
    );
    expect(await printedJson(addParked, 'parked')).toEqual([
      {
        model: 'boards',
        build: 'v1',
        documentId: 'd1',
        position: START,
        eventType: 'ActionStarted',
        error: 'TypeError: no',
        parkedAt: '2026-03-10T12:00:00.000Z',
      },
    ]);
    expect(await printedJson(addParked, 'parked', 'jobs')).toEqual([]);
    expect(await admin('parked', '--retry')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Retry of 1 requested'),
    });
    await stop();
    expect(await admin('parked', 'boards', 'd1', '--retry')).toMatchObject({ code: 0 });
    expect(await admin('parked', 'boards', 'd2', '--retry')).toEqual({ code: 1, output: 'No such event is parked.\n' });
    const { store } = await start();
    const read = await store.read('parked-boards');
    expect(read.status === 'found' && read.events.map(({ type, metadata }) => [type, metadata.actor.id])).toEqual([
      ['ParkedRetryAsked', 'operator'],
      ['ParkedRetryAsked', 'operator'],
    ]);
  });
});

describe('npm run admin -- mails and work', () => {
  it('report when there is nothing to list', async () => {
    const { store, readModels } = await start();
    const loop = projecting(store, readModels, READ_MODELS);
    await loop.ready;
    expect(await admin('mails')).toEqual({ code: 0, output: 'No emails have failed.\n' });
    expect(await printedJson(addMails, 'mails')).toEqual({ failed: [], outbox: [] });
    const { code, output } = await admin('work');
    expect([code, output.split('\n')[1]?.replaceAll(/ +/g, ' ')]).toEqual([0, 'audit 0 0 0 -']);
    const none = { pending: 0, more: false, running: 0, failedBefore: 0, firstDue: null };
    expect(await printedJson(addWork, 'work')).toEqual(WORK_RULES.map(({ kind }) => ({ kind, ...none })));
    await loop.stop();
  });
});
