/**
 * The whole log as files, by the program in a process of its own (its start included), beside reading it here and
 * writing plain lines.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { EXPORT_FORMATS } from '../../src/reports/events/exportTargets.ts';
import { fill } from '../events.ts';
import { type Bench, type Figure, perSecond, type Row, timed } from '../measure.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/src/cli/events.js', import.meta.url));
const LIMIT_MB = 300;

export const exporting: Figure = {
  name: 'export',
  async measure({ dir, full, say }) {
    const count = full ? 1_000_000 : 100_000;
    say(`filling a log with ${count.toLocaleString('en-US')} events`);
    const store = openSqliteEventStore({ file: join(dir, 'events.db') });
    await fill(store, count);
    const raw = await timed(() => rawCopy(store, join(dir, 'raw')));
    await store.close();
    const rows: Row[] = [];
    for (const format of EXPORT_FORMATS) rows.push(...(await exported(dir, { format, count, raw, flags: [] }, say)));
    rows.push(...(await exported(dir, { format: 'parquet', count, raw, flags: ['--anonymise'] }, say)));
    return rows;
  },
};

type Asked = {
  readonly format: string;
  readonly count: number;
  readonly raw: number;
  readonly flags: readonly string[];
};

async function exported(dir: string, { format, count, raw, flags }: Asked, say: Bench['say']): Promise<readonly Row[]> {
  const what = `export ${count.toLocaleString('en-US')} events (${[format, ...flags.map((flag) => flag.slice(2))].join(', ')})`;
  say(what);
  const out = join(dir, `out-${format}-${flags.length}`);
  let peak = 0;
  const took = await timed(async () => {
    const child = spawn(process.execPath, [PROGRAM, 'export', '--format', format, '--out', out, ...flags], {
      env: { PATH: process.env.PATH, DATA_DIR: dir },
    });
    const looking = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid ?? 0));
    }, 20);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearInterval(looking);
    if (code !== 0 || !statSync(out)) throw new Error(`The export ended with ${code}.`);
  });
  const megabytes = Math.round(peak / 1e6);
  return [
    {
      what,
      ours: perSecond((count * 1000) / took),
      limit: perSecond((count * 1000) / raw),
      ratio: raw / took,
      goal: '–',
      met: true,
    },
    {
      what: 'the same: memory of the process',
      ours: `${megabytes} MB`,
      limit: '–',
      ratio: null,
      goal: `< ${LIMIT_MB} MB for 10^6`,
      met: megabytes < LIMIT_MB,
    },
  ];
}

/** Linux tells the most that a process ever had, bytes; 0 once it is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function rawCopy(store: ReturnType<typeof openSqliteEventStore>, path: string): Promise<void> {
  const file = createWriteStream(path);
  for (let after = '0'.repeat(20); ; ) {
    const page = await store.readAll({ after, limit: 1_000 });
    file.write(
      page.events
        .map(({ revision, ...event }) => `${JSON.stringify({ ...event, revision: Number(revision) })}\n`)
        .join(''),
    );
    after = page.next;
    if (page.end) break;
  }
  file.end();
  await once(file, 'finish');
}
