/** The built server, started as an operator does, on data folders in which something is missing. */
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginEnrolment, confirmEnrolment } from '../../../src/commands/secondFactor/secondFactor.ts';
import { shareToken } from '../../../src/commands/share/shareTokens.ts';
import { hashToken } from '../../../src/commands/tokens.ts';
import { mfaKeysOf } from '../../../src/start/secrets/mfaSecret.ts';
import { shareSecretOf } from '../../../src/start/secrets/shareSecret.ts';
import { product, userOf } from '../../given/commands.ts';
import { logIn } from '../../given/product/apiClient.ts';
import { startBuiltServer } from '../../given/product/builtServer.ts';
import { dataFolder, type Folder, withAccount } from '../../given/product/folder.ts';
import { startServer } from '../../given/product/processes.ts';
import { runProgram } from '../../given/product/program.ts';
import { codeOf } from '../../given/secondFactor.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

let folder: Folder;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(() => folder.remove());

/** Starts, and expects the end: what it printed, and its exit code. */
async function refused(env: Readonly<Record<string, string>> = {}) {
  const server = startServer({ env: { DATA_DIR: folder.dir, DEMO_PORT: '0', ...env } });
  await expect(server.started).rejects.toThrow();
  return { output: server.output(), code: server.child.exitCode };
}

describe('the server', () => {
  it('refuses to start without its log, starts over once with BEGIN_ANEW, and then starts normally', async () => {
    const { id } = await folder.start({}, withAccount());
    truncateSync(folder.path('events.db'));
    const { output, code } = await refused();
    expect(code).toBe(1);
    expect(output).toMatch(/^The event log is missing: [^\n]*\n$/);
    expect(output).toContain(`BEGIN_ANEW=${id}`);
    for (const program of ['rebuild', 'backup']) {
      const ran = await runProgram(program, program === 'backup' ? ['--to', folder.path('copies')] : [], {
        DATA_DIR: folder.dir,
        BEGIN_ANEW: id ?? '',
      });
      expect(ran).toMatchObject({ code: 1, output: expect.stringMatching(/^The event log is missing: [^\n]*\n$/) });
    }
    const begun = await startBuiltServer(folder.dir, { BEGIN_ANEW: id ?? '' });
    expect(folder.files()).toContain(`readModels.db.${id}`);
    expect(await begun.stop()).toBe(0);
    const again = await startBuiltServer(folder.dir, { BEGIN_ANEW: id ?? '' });
    expect(await again.stop()).toBe(0);
    rmSync(folder.path('events.db'));
    expect(await refused({ BEGIN_ANEW: id ?? '' })).toMatchObject({
      code: 1,
      output: expect.stringContaining(`BEGIN_ANEW=${folder.read('installation-id')}`),
    });
  });

  it('names a setting that cannot be an id', async () => {
    expect(await refused({ BEGIN_ANEW: 'yes' })).toMatchObject({
      code: 1,
      output: expect.stringContaining('BEGIN_ANEW: must be the id'),
    });
  });
});

describe('keys that are missing', () => {
  const at = '2026-03-10T12:00:00.000Z';
  const JOB = '5f0c8a52-0d0b-4c86-9d5c-0a6b9b1f0001';
  const link = (secret: string, shareId: string, more: object = {}) => ({
    id: shareId.replace(/^./, 'a'),
    type: 'ShareCreated',
    data: {
      jobId: JOB,
      userId: 'ann',
      shareId,
      title: 'T',
      description: '',
      sharedContent: ['actions'],
      mode: 'preview',
      expiresAt: null,
      tokenHash: hashToken(shareToken(secret, JOB, shareId)),
      createdAt: at,
      ...more,
    },
    metadata: metadataAt(at),
  });
  const share = (shareId: string, more: object = {}) =>
    folder.start({}, async ({ store }) => {
      const secret = shareSecretOf({ DATA_DIR: folder.dir, servers: null });
      await store.append(`shares-${JOB}`, [link(secret, shareId, more)], { expected: 'any' });
    });

  /**
   * What a start says, and the problems on the system page, without what the daily check finds wrong with links to an
   * audit that is not there.
   */
  async function started(env: Readonly<Record<string, string>> = {}) {
    const server = await startBuiltServer(folder.dir, env);
    const { token } = await logIn(server.url, server.admin);
    const answer = await fetch(`${server.url}/api/v1/admin/system`, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await answer.json()) as { data: { problems: readonly { cause: string; text: string }[] } };
    await server.stop();
    return {
      output: server.output(),
      causes: data.problems.map(({ cause }) => cause).filter((cause) => cause !== 'log'),
      problems: data.problems,
    };
  }

  it('are made again silently if nothing depends on them', async () => {
    await started();
    rmSync(folder.path('share-secret'));
    rmSync(folder.path('mfa-secret'));
    await share('0c8a52ff-0d0b-4c86-9d5c-0a6b9b1f0001', { expiresAt: '2026-03-11T12:00:00.000Z' });
    rmSync(folder.path('share-secret'));
    const { output, causes } = await started();
    expect(causes).toEqual(['backup']);
    expect(output).not.toContain('is not the');
  });

  it('of pseudonyms is said to be another one, until the former is back', async () => {
    await started();
    mkdirSync(folder.path('kept'));
    renameSync(folder.path('pseudonym-key'), folder.path('kept/pseudonym-key'));
    for (let start = 0; start < 2; start += 1) {
      const { output, causes } = await started();
      expect(causes).toEqual(['pseudonym_key', 'backup']);
      expect(output).toContain(`${folder.path('pseudonym-key')} is not the key that the pseudonyms`);
    }
    renameSync(folder.path('kept/pseudonym-key'), folder.path('pseudonym-key'));
    expect((await started()).causes).toEqual(['backup']);
  });

  it('are said to be missing, at each start and on the system page, until they are back', async () => {
    await share('0c8a52ff-0d0b-4c86-9d5c-0a6b9b1f0002');
    await folder.start({}, async ({ store }) => {
      const made = product(store);
      const userId = await userOf(made);
      const keys =
        mfaKeysOf(
          { MFA_SECRET: undefined, servers: null, adminMfa: false, DATA_DIR: folder.dir },
          { warn: () => undefined },
        ) ?? expect.fail();
      const { secret } = await beginEnrolment(made.context(), { userId, email: 'ann@example.com', keys });
      await confirmEnrolment(made.context(), { userId, code: codeOf(secret, made.now()), keptSessionId: '', keys });
    });
    expect((await started()).causes).toEqual(['backup']);
    mkdirSync(folder.path('kept'));
    for (const name of ['share-secret', 'mfa-secret']) renameSync(folder.path(name), folder.path(`kept/${name}`));
    for (let start = 0; start < 2; start += 1) {
      const { output, causes, problems } = await started();
      expect(causes).toEqual(['mfa_key', 'share_key', 'backup']);
      for (const name of ['share-secret', 'mfa-secret']) {
        expect(output).toContain(`${folder.path(name)} is not the`);
        expect(problems.some(({ text }) => text.includes(folder.path(name)))).toBe(true);
      }
      // New links fit; the old ones still do not.
      if (start === 0) await share('0c8a52ff-0d0b-4c86-9d5c-0a6b9b1f0003');
    }
    for (const name of ['share-secret', 'mfa-secret']) renameSync(folder.path(`kept/${name}`), folder.path(name));
    await folder.start({}, ({ store }) =>
      store.append(
        `shares-${JOB}`,
        [
          {
            ...link('x', 'x'),
            id: '0c8a52ff-0d0b-4c86-9d5c-0a6b9b1f0009',
            type: 'ShareRevoked',
            data: { jobId: JOB, shareId: '0c8a52ff-0d0b-4c86-9d5c-0a6b9b1f0003', revokedAt: at },
          },
        ],
        {
          expected: 'any',
        },
      ),
    );
    const { output, causes } = await started();
    expect(causes).toEqual(['backup']);
    expect(output).not.toContain('is not the');
  });

  it('are recognized once they become settings', async () => {
    await started();
    const [SHARE_SECRET, MFA_SECRET] = [folder.read('share-secret'), folder.read('mfa-secret')];
    expect((await started({ SHARE_SECRET, MFA_SECRET })).causes).toEqual(['backup']);
    expect(await refused({ SHARE_SECRET, MFA_SECRET: 'o'.repeat(40) })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^MFA_SECRET is not the key that the installation [^\n]*\n$/),
    });
    writeFileSync(folder.path('installation-id'), 'damaged');
    expect(await refused()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^[^\n]*installation-id is damaged[^\n]*\n$/),
    });
  });
});
