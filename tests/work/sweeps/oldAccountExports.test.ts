import { describe, expect, it } from 'vitest';
import { readExportFile, writeExportPart } from '../../../src/commands/accountExport/exportFile.ts';
import { requestAccountExport } from '../../../src/commands/accountExport/requestAccountExport.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { accountExportDecider } from '../../../src/domain/accountExport/accountExport.ts';
import { exportFileStream, exportsStream } from '../../../src/domain/accountExport/events.ts';
import { createTruncations } from '../../../src/work/followers/truncations.ts';
import { createOldAccountExports } from '../../../src/work/sweeps/oldAccountExports.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { verified } from '../../given/stores/logFiles.ts';
import { followLog, still } from '../../given/work/following.ts';

/** As in the read model. */
const expiredIn = (made: Product, userIds: readonly string[]) => async (now: string, limit: number) => {
  const found: { readonly userId: string; readonly ask: number }[] = [];
  for (const userId of userIds) {
    const { state } = await loadState(made.store, accountExportDecider, exportsStream(userId));
    if (state.status === 'ready' && state.expiresAt <= now) found.push(state);
  }
  return found.slice(0, limit);
};

async function exported(made: Product, email = 'ann@example.com') {
  const userId = await userOf(made, email);
  await requestAccountExport(made.context(), { userId });
  const stream = exportsStream(userId);
  const { state } = await handle(made.context(), accountExportDecider, stream, { type: 'StartExport', at: made.now() });
  if (state.status !== 'pending') throw new Error('It is not pending.');
  await writeExportPart(made.context(), state, 0, '{}');
  await handle(made.context(), accountExportDecider, stream, {
    type: 'FinishExport',
    attempt: 1,
    parts: 1,
    bytes: 2,
    at: made.now(),
  });
  return { userId, stream, file: { ...state, parts: 1 } };
}

const DAY = 24 * 60;

describe('the files of account exports', () => {
  it('are removed seven days after they were written', async () => {
    const made = await withAdmin();
    const { userId, stream, file } = await exported(made);
    made.pass(7 * DAY - 1);
    const young = await exported(made, 'ben@example.com');
    const listExpired = expiredIn(made, [userId, young.userId]);
    const sweep = createOldAccountExports({ context: made.context, listExpired, reached: async () => true });
    expect((await sweep.run(null, still)).done).toBe(0);
    made.pass(2);
    expect((await sweep.run(null, still)).done).toBe(1);
    expect((await made.types(stream)).at(-1)).toBe('AccountExportRemoved');
    expect((await made.store.read(exportFileStream(file.fileId))).status).toBe('deleted');
    expect(await readExportFile(made.store, young.file).next()).toMatchObject({ value: '{}' });
    expect((await sweep.run(null, still)).done).toBe(0);
    expect((await verified(made.store)).found).toEqual([]);
  });

  it('are removed by the next run, or by the follower, after a crash', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const { userId, file } = await exported(made);
      made.pass(8 * DAY);
      const run = (store = made.store) =>
        createOldAccountExports({
          context: (cause) => made.context(cause ?? undefined, store),
          listExpired: expiredIn(made, [userId]),
          reached: async () => true,
        }).run(null, still);
      await orCrash(run(breaking(made.store)));
      await run();
      await followLog(made.store, createTruncations(made));
      expect((await made.store.read(exportFileStream(file.fileId))).status).toBe('deleted');
    });
  });
});
