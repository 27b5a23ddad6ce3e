/**
 * Starts of the built server that are refused: one line says why, and nothing that was open already reports its own
 * end.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryData } from '../given/product/builtServer.ts';
import { startServer } from '../given/product/processes.ts';

const folders: ReturnType<typeof temporaryData>[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function newFolder(): string {
  const folder = temporaryData();
  folders.push(folder);
  return folder.dir;
}

/** Everything it printed before it ended with the exit code 1. */
async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
  const server = startServer({ env: { DEMO_PORT: '0', ...env } });
  const error = await server.started.then(
    () => null,
    (reason: Error) => reason,
  );
  if (error === null) await server.stop();
  expect(error?.message).toMatch(/^the server ended with 1 before it was ready:/);
  return server.output();
}

const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
  ['empty', (file) => writeFileSync(file, '')],
  ['of one byte', (file) => writeFileSync(file, 'x')],
  ['of zeros', (file) => writeFileSync(file, Buffer.alloc(4096))],
  ['of random bytes', (file) => writeFileSync(file, Buffer.concat([Buffer.from([0xff, 0x00]), randomBytes(300)]))],
  ['a folder', (file) => mkdirSync(file)],
];

describe('a start', () => {
  it.each(['share-secret', 'mfa-secret', 'pseudonym-key', 'checkpoint-key.pem', 'demo-admin-password'])(
    'with a damaged %s ends in one line',
    async (name) => {
      for (const [damage, make] of DAMAGES) {
        const dir = newFolder();
        make(join(dir, name));
        const output = await refusalOf({ DATA_DIR: dir });
        expect(output.trimEnd().split('\n'), damage).toEqual([expect.stringContaining(`${join(dir, name)} `)]);
      }
    },
  );

  it('ignores a damaged file whose secret is set instead, or that it does not use', async () => {
    const dir = newFolder();
    for (const name of ['share-secret', 'mfa-secret', 'demo-admin-password', 'pseudonym-key'])
      writeFileSync(join(dir, name), 'x');
    const server = startServer({
      env: {
        DATA_DIR: dir,
        DEMO: 'false',
        SHARE_SECRET: 's'.repeat(32),
        MFA_SECRET: 'm'.repeat(32),
        PSEUDONYM_SECRET: 'p'.repeat(32),
      },
    });
    await server.ready();
    expect(await server.stop()).toBe(0);
  });

  it('that is refused after its stores are open closes them quietly', async () => {
    const dir = newFolder();
    // Something to follow: the embedded stores of a used installation.
    const used = startServer({ env: { DATA_DIR: dir, DEMO_PORT: '0' } });
    await used.ready();
    await used.stop();
    // An address of no machine, from the block for documentation.
    expect((await refusalOf({ DATA_DIR: dir, HOST: '203.0.113.7' })).trimEnd().split('\n')).toEqual([
      expect.stringContaining('EADDRNOTAVAIL'),
    ]);
    writeFileSync(join(dir, 'payments', 'payments.db'), 'no database'.repeat(1_000));
    expect((await refusalOf({ DATA_DIR: dir })).trimEnd().split('\n')).toEqual([
      expect.stringContaining(`${join(dir, 'payments', 'payments.db')}: file is not`),
    ]);
  });
});
