/** From the spawn of the built server to its being ready, on empty data and on a long history. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { fill } from '../events.ts';
import { compare, type Figure, median, milliseconds, type Row, timed } from '../measure.ts';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** Until /readyz says ready; then it is stopped. */
export async function startMs(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<number> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: dataDir,
      DEMO: 'false',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  try {
    return await timed(async () => {
      const url = await new Promise<string>((resolve, reject) => {
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
          const found = /SEO Workbench\s+(http:\/\/\S+)/.exec(text)?.[1];
          if (found) resolve(found);
        });
        child.once('error', reject);
        child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)));
      });
      while ((await fetch(`${url}/readyz`)).status !== 200) await new Promise((resolve) => setImmediate(resolve));
    });
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function nodeMs(): Promise<number> {
  return timed(() => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit'));
}

function row(what: string, ms: number, limit: number): Row {
  return {
    what,
    ours: milliseconds(ms),
    limit: `${milliseconds(limit)} (node -e 0)`,
    ratio: ms / limit,
    goal: '≤ 1,500 ms',
    met: ms <= 1500,
  };
}

export const start: Figure = {
  name: 'start',
  async measure({ rounds, dir, full, say }) {
    let n = 0;
    const empty = () => {
      n += 1;
      const data = join(dir, `empty-${n}`);
      mkdirSync(data);
      return data;
    };
    const compared = await compare(
      Math.min(rounds, 5),
      () => startMs(empty()),
      () => nodeMs(),
    );
    const rows = [row('start to ready, empty data', compared.ours, compared.limit)];
    const count = full ? 1_000_000 : 50_000;
    const data = join(dir, 'history');
    mkdirSync(data);
    say(`filling a history of ${count.toLocaleString('en-US')} events`);
    const store = openSqliteEventStore({ file: join(data, 'events.db') });
    await fill(store, count);
    await store.close();
    // The first start fills the read models; the figure is that of the later ones, whose checkpoints are current.
    await startMs(data);
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) times.push(await startMs(data));
    rows.push(row(`start to ready with ${count.toLocaleString('en-US')} events`, median(times), compared.limit));
    return rows;
  },
};
