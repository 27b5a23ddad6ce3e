import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openFilesLimit, tooFewOpenFiles } from '../../src/start/openFiles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the limit of open files', () => {
  it('is enough at 512, without a limit, and if unknown', () => {
    for (const limit of [null, 512, 1_048_576]) expect(tooFewOpenFiles(limit)).toBeNull();
    expect(tooFewOpenFiles(511)).toMatch(/511 files .* at least 512/);
  });

  it.skipIf(process.platform === 'win32')('is that of this process, and ends it with an explanation if too low', () => {
    expect(openFilesLimit() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(0);
    const { status, stderr, stdout } = spawnSync(
      'sh',
      ['-c', 'ulimit -n 200 && exec "$0" --import tsx src/main.ts', process.execPath],
      {
        cwd: root,
        env: { PATH: process.env.PATH },
        encoding: 'utf8',
      },
    );
    expect(stderr).toMatch(/^This process may have 200 files open at once, and needs at least 512/);
    expect([status, stdout]).toEqual([1, '']);
  });
});
