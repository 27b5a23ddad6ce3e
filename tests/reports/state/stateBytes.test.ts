/** The memory of states: an estimate, and what is forgotten for it. */
import { describe, expect, it } from 'vitest';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { createKeptReports } from '../../../src/reports/keptReports.ts';
import type { Report } from '../../../src/reports/report.ts';
import { untilOf } from '../../../src/reports/run.ts';
import { stateBytes } from '../../../src/reports/state/stateBytes.ts';
import { happened, logOf, write } from '../../given/reports.ts';

describe('the estimate', () => {
  const item = (nth: number) => ({ id: `item-${nth % 10}`, sizes: [nth, nth], done: null });

  it('counts text, entries and typed arrays', () => {
    expect(stateBytes('x'.repeat(1_000)) - stateBytes('')).toBe(1_000);
    expect(stateBytes(new Uint32Array(2_000)) - stateBytes(new Uint32Array(0))).toBe(8_000);
    expect([stateBytes(null), stateBytes(7), stateBytes(undefined)]).toEqual([0, 0, 0]);
    expect(stateBytes({ of: new Set(['a', 'b']) })).toBeGreaterThan(stateBytes({ of: new Set(['a']) }));
  });

  it('grows with what there is, however deep it is', () => {
    const state = (count: number) => ({
      plans: new Map(
        Array.from({ length: count }, (_, nth) => [`plan-${nth % 10}-${nth}`, new Map([['a', item(nth)]])]),
      ),
    });
    const ratio = stateBytes(state(100_000)) / stateBytes(state(1_000));
    expect(ratio).toBeGreaterThan(95);
    expect(ratio).toBeLessThan(105);
  });
});

describe('states in memory', () => {
  const BYTES = 10_000;
  const days: Report<{ text: string }> = {
    name: 'days',
    title: 'Days',
    description: 'A state of known size.',
    types: ['CreditsGranted'],
    initial: () => ({ text: '' }),
    evolve: ({ text }) => ({ text: text + 'x'.repeat(BYTES) }),
    tables: () => [],
  };
  const usage = { ...days, name: 'usage' };
  const errors = { ...days, name: 'errors' };
  const on = (day: number): string => `2026-03-0${day}T12:00:00.000Z`;
  const grant = (day: number) =>
    happened('billing-user-1', on(day), 'CreditsGranted', {
      userId: 'user-1',
      grantId: `grant-${day}`,
      credits: 1,
      reason: 'A gift',
      balance: 1,
      grantedAt: on(day),
    });

  /** Keeps states of at most `states` events in all. */
  function started(log: EventStore, states: number) {
    let time = 0;
    const asked: string[] = [];
    let running = '';
    const store = {
      head: () => log.head(),
      readAll: (how: Parameters<EventStore['readAll']>[0] = {}) => {
        if (how.filter?.types?.includes('CreditsGranted')) asked.push(`${running} after ${Number(how.after ?? 0)}`);
        return log.readAll(how);
      },
    };
    const kept = createKeptReports({ store, now: () => time, mostBytes: states * BYTES * 1.1 });
    return {
      /** What it reads of the log for that. */
      async read(
        report: Report<{ text: string }>,
        until: string | null = null,
        signal = new AbortController().signal,
      ): Promise<readonly string[]> {
        time += 1;
        asked.length = 0;
        running = report.name;
        await kept.read({ report, until: until === null ? null : untilOf(until), signal });
        await kept.settled();
        return [...asked];
      },
    };
  }

  it('are forgotten beyond the limit, those used longest ago first', async () => {
    const { read } = started(await logOf(grant(1)), 2);
    await read(days);
    await read(usage);
    expect(await read(days)).toEqual(['days after 1']);
    await read(errors);
    expect(await read(days)).toEqual(['days after 1']);
    expect(await read(usage)).toEqual(['usage after 0']);
  });

  it('are forgotten when one of them grows, past moments as well', async () => {
    const log = await logOf(grant(1));
    const { read } = started(log, 3);
    await read(days, '2026-03-01');
    await read(usage);
    await write(log, grant(2), grant(3));
    await read(usage);
    expect(await read(days, '2026-03-01')).toEqual(['days after 0']);
  });

  it('include the newest, even if it is too large by itself', async () => {
    const { read } = started(await logOf(grant(1), grant(2)), 1);
    await read(days);
    expect(await read(days)).toEqual(['days after 2']);
    await read(usage);
    expect(await read(days)).toEqual(['days after 0']);
  });
});
