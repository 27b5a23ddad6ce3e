import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BadCheckpoint,
  publicKeyOf,
  readCheckpoint,
  readSigningKey,
  type Statement,
  writeCheckpoint,
} from '../../../src/eventStore/verify/checkpointFile.ts';
import { oldInstallation } from '../../given/product/oldInstallation.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { type LogFolder, logFolder, verified } from '../../given/stores/logFiles.ts';

const { privateKey: key } = generateKeyPairSync('ed25519');
const at = '2026-03-01T00:00:00.000Z';
let folder: LogFolder;
beforeAll(() => {
  folder = logFolder();
});
afterAll(() => folder.remove());

const linesOf = (name: string) =>
  gunzipSync(readFileSync(folder.path(name)))
    .toString()
    .split('\n');
const rewritten = (name: string, change: (lines: string[]) => string[]) => {
  writeFileSync(folder.path('changed'), gzipSync(change(linesOf(name)).join('\n')));
  return folder.path('changed');
};

describe('a checkpoint', () => {
  it('seals events from before there was a chain, and says so until the log continues', async () => {
    const old = oldInstallation();
    const file = folder.path('old');
    const statement = await writeCheckpoint({ store: old.raw, file, key, at });
    expect(statement).toMatchObject({ at, publicKey: publicKeyOf(key), position: await old.raw.head() });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { sealed } = await readCheckpoint(file);
    expect(await verified(old.raw, sealed)).toMatchObject({ events: statement.count, chained: 0, chainedFrom: null });
    await old.close();
  });

  it('of an empty log is valid, too', async () => {
    const store = rawEventStore();
    expect(await writeCheckpoint({ store, file: folder.path('empty'), key, at })).toMatchObject({ count: 0 });
    expect((await readCheckpoint(folder.path('empty'))).sealed.count).toBe(0);
    await store.close();
  });

  it('that was changed, is incomplete, or is unsigned is refused', async () => {
    const old = oldInstallation();
    await writeCheckpoint({ store: old.raw, file: folder.path('good'), key, at });
    await old.close();
    const refused = (file: string) => expect(readCheckpoint(file)).rejects.toThrow(BadCheckpoint);
    await refused(rewritten('good', ([first = '', ...rest]) => [first.replace(/.$/, 'X'), ...rest]));
    await refused(rewritten('good', ([, ...rest]) => rest));
    await refused(rewritten('good', ([one = '', two = '', ...rest]) => [two, one, ...rest]));
    await refused(rewritten('good', (lines) => lines.slice(0, -2)));
    const other = publicKeyOf(generateKeyPairSync('ed25519').privateKey);
    await refused(
      rewritten('good', (lines) =>
        lines.map((line) =>
          line.startsWith('{') ? JSON.stringify({ ...(JSON.parse(line) as Statement), publicKey: other }) : line,
        ),
      ),
    );
    await refused(rewritten('good', (lines) => lines.map((line) => line.replace(/"at":"2026/, '"at":"2025'))));
    writeFileSync(folder.path('text'), 'no checkpoint');
    await refused(folder.path('text'));
    await refused(folder.path('missing'));
  });

  it('requires a key of its kind, and reveals nothing of another one', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    expect(() => readSigningKey(rsa, 'key.pem')).toThrow('key.pem holds no Ed25519 key.');
    expect(() => readSigningKey('PLANTED', 'key.pem')).toThrow(/^((?!PLANTED).)*$/);
  });
});
