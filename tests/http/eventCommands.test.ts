/** The commands that the screens and docs/analysts.md give analysts, run as they are, with only the key filled in. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { eventCommands, KEY_PLACEHOLDER } from '../../src/model/eventCommands.ts';
import { duckDb } from '../given/duckDb.ts';
import { writeAnalystsLog } from '../given/product/analystsLog.ts';
import { appOver, EVENTS } from '../given/product/eventExport.ts';
import type { TestApp } from '../given/product/http.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';

const PROGRAMS = { curl: ['curl', 'awk'], DuckDB: ['curl', 'duckdb'], Python: ['python3'] } as const;

function hasAll(programs: readonly string[]): boolean {
  try {
    for (const program of programs) execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const database = await duckDb();

let app: TestApp;
let key: string;
let folder: string;
/** As the log has it. */
let table: string;
const log = withStoredEvents(rawEventStore());
beforeAll(async () => {
  await writeAnalystsLog(log);
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  const started = await appOver(log);
  app = started.app;
  key = (await started.admin.call('POST', '/api/v1/api-keys', { name: 'Ann', scope: 'events:read' })).body.key;
  const counts = new Map<string, number>();
  for (const { type, metadata } of (await log.readAll()).events) {
    const row = `${metadata.at.slice(0, 10)},${type}`;
    counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  const rows = [...counts].map(([row, count]) => `${row},${count}`).toSorted();
  table = `day,type,events\n${rows.join('\n')}\n`;
});
afterAll(async () => {
  await app.close();
  await log.close();
  rmSync(folder, { recursive: true });
});

async function run(text: string): Promise<{ readonly out: string; readonly errors: string }> {
  const shell = spawn('sh', ['-c', text], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  shell.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  shell.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
  await once(shell, 'close');
  return { out, errors };
}

const sorted = (csv: string): readonly string[] => csv.replaceAll('\r', '').trimEnd().split('\n').toSorted();

describe('the commands for analysts', () => {
  const page = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8');

  it('are those of the page for analysts, with the key in no address', () => {
    for (const { tool, text } of eventCommands('https://seo.example.com')) {
      expect(page).toContain(`### ${tool}\n\n\`\`\`sh\n${text}\n\`\`\`\n`);
      expect(text.split(KEY_PLACEHOLDER)).toHaveLength(2);
      expect(text).not.toMatch(/https?:[^'\s]*YOUR_KEY/);
    }
  });

  it.skipIf(database === null)('ask DuckDB what it answers, also without its program', async () => {
    const [, sql = ''] =
      /-c "([\s\S]*)"$/.exec(eventCommands('ORIGIN').find(({ tool }) => tool === 'DuckDB')!.text) ?? [];
    const file = join(folder, 'export.ndjson');
    writeFileSync(file, (await app.call('GET', EVENTS, { token: key })).text);
    const rows = (await database!.ask(sql.replace("'events.ndjson'", `'${file}'`))).map(
      ({ day, type, events }) => `${day},${type},${events}`,
    );
    expect(rows.toSorted()).toEqual(table.trimEnd().split('\n').slice(1).toSorted());
  });

  describe.each(eventCommands('ORIGIN').map(({ tool }) => [tool] as const))('%s', (tool) => {
    const isHere = hasAll(PROGRAMS[tool]);
    if (!isHere) process.stderr.write(`skipped: the command for ${tool} needs ${PROGRAMS[tool].join(' and ')}\n`);
    const command = (with_: string): string =>
      eventCommands(app.url)
        .find((each) => each.tool === tool)!
        .text.replace(KEY_PLACEHOLDER, with_);

    it.skipIf(!isHere)('prints a table of events by day and type', async () => {
      const { out, errors } = await run(command(key));
      expect(errors).toBe('');
      expect(out.split(/\r?\n/)[0]).toBe('day,type,events');
      expect(sorted(out)).toEqual(sorted(table));
    });

    it.skipIf(!isHere)('prints no figures when the key is refused', async () => {
      const { out, errors } = await run(command('seo_live_wrong'));
      expect(out.replace('day,type,events\n', '')).toBe('');
      expect(errors).toMatch(/401|incomplete/);
    });
  });
});
