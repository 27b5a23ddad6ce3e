import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { keepPresence, listProcesses, type ProcessFacts } from '../../../src/start/monitor/processPresence.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

const facts: Omit<ProcessFacts, 'loopDelayMs'> = {
  role: 'worker',
  host: 'one',
  pid: 7,
  since: '2026-03-10T12:00:00.000Z',
  version: '1.0.0',
  heapUsed: 1,
  heapTotal: 2,
  rss: 3,
  analyst: null,
  disk: null,
};
const start = Date.UTC(2026, 2, 10, 12);
const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();

describe('a process', () => {
  it('reports its presence repeatedly, and removes it when it ends', async () => {
    const { presence } = memoryReadModels();
    const ending = new AbortController();
    let seconds = 0;
    await keepPresence({
      presence,
      id: 'p1',
      facts: async () => facts,
      now: () => at(seconds),
      signal: ending.signal,
      log: pino({ level: 'silent' }),
      sleep: async (ms) => {
        expect(await listProcesses(presence, at(seconds))).toMatchObject([
          { id: 'p1', role: 'worker', host: 'one', seenAt: at(seconds), gone: false },
        ]);
        seconds += ms / 1_000;
        if (seconds >= 30) ending.abort();
      },
    });
    expect(await listProcesses(presence, at(seconds))).toEqual([]);
  });

  it('that stopped reporting is shown as gone, and dropped after an hour', async () => {
    const { presence } = memoryReadModels();
    await presence.note('process', { id: 'p1', at: at(0), value: JSON.stringify({ ...facts, loopDelayMs: 1 }) });
    const goneAt = async (seconds: number) => (await listProcesses(presence, at(seconds))).map(({ gone }) => gone);
    expect(await goneAt(30)).toEqual([false]);
    expect(await goneAt(40)).toEqual([true]);
    expect(await goneAt(3_601)).toEqual([]);
  });

  it('of a version with another format is left out', async () => {
    const { presence } = memoryReadModels();
    for (const [id, value] of [
      ['a', 'no JSON'],
      ['b', '{"role":"captain"}'],
    ] as const)
      await presence.note('process', { id, at: at(0), value });
    expect(await listProcesses(presence, at(1))).toEqual([]);
  });
});
