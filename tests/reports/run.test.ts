/** The runner: the events of a report, its moment, its progress, and that it can be interrupted. */
import { describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { createKeptReports } from '../../src/reports/keptReports.ts';
import type { Report } from '../../src/reports/report.ts';
import { foldOn, foldSideBySide, type RunProgress, resultOf, unfolded, untilOf } from '../../src/reports/run.ts';
import { ALL, happened, logOf, NOW, runReport, write } from '../given/reports.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';

/** The days of granted credits, in the order of the log. */
const days: Report<{ days: string[] }> = {
  name: 'days',
  title: 'Days',
  description: 'When credits were granted.',
  types: ['CreditsGranted'],
  initial: () => ({ days: [] }),
  evolve(state, event) {
    state.days.push(event.metadata.at);
    return state;
  },
  tables: ({ days: all }) => [
    {
      name: 'days',
      title: 'Days',
      columns: [{ key: 'day', label: 'Day', kind: 'date' }],
      rows: all.map((day) => ({ day })),
    },
  ],
};

const grant = (at: string, nth = 0) =>
  happened('billing-user-1', at, 'CreditsGranted', {
    userId: 'user-1',
    grantId: `grant-${nth}`,
    credits: 1,
    reason: 'A gift',
    balance: 1,
    grantedAt: at,
  });
const other = (at: string) =>
  happened('mail-1', at, 'MailSent', { mailId: 'mail-1', userId: 'user-1', kind: 'receipt', sentAt: at });
const on = (day: number, minute = 0): string =>
  `2026-03-${String(day).padStart(2, '0')}T12:${String(minute).padStart(2, '0')}:00.000Z`;
const never = new AbortController().signal;

async function daysIn(store: EventStore, until: string | null = null) {
  const result = await runReport(store, days, {}, until === null ? null : untilOf(until));
  return result.tables[0]?.rows.map(({ day }) => String(day).slice(8, 10));
}

describe('a run', () => {
  it('reads only events of the report’s types', async () => {
    const store = await logOf(grant(on(1)), other(on(2)), grant(on(3)));
    expect(await daysIn(store)).toEqual(['01', '03']);
    expect((await runReport(store, days)).events).toBe(2);
  });

  it('is as of the end of a day, a time, or a position', async () => {
    const store = await logOf(grant(on(1)), grant(on(2)), grant(on(2, 30)), grant(on(3)));
    expect(await daysIn(store, '2026-03-02')).toEqual(['01', '02', '02']);
    expect(await daysIn(store, '2026-03-02T12:00:00Z')).toEqual(['01', '02']);
    expect(await daysIn(store, '2026-02-01')).toEqual([]);
    const { events } = await store.readAll();
    expect(await daysIn(store, events[2]?.position)).toEqual(['01', '02', '02']);
    expect((await runReport(store, days, {}, untilOf('2026-03-02T12:00Z'))).asOf).toBe('2026-03-02T12:00:00.000Z');
  });

  it('finds events slightly out of order by another process’s clock', async () => {
    const store = await logOf(grant(on(2, 1)), grant(on(2)), grant(on(3)), grant(on(2)));
    expect(await daysIn(store, '2026-03-02T12:00:00Z')).toEqual(['02']);
  });

  it('refuses other moments', () => {
    for (const text of [
      '',
      'now',
      '2026-02-30',
      '2026-13-01',
      '2026-03-01T25:00Z',
      '2026-03-01T12:00:00',
      '123456789012345678901',
    ])
      expect([text, untilOf(text)]).toEqual([text, null]);
  });

  it('omits unreadable events, and says so', async () => {
    const store = rawEventStore();
    await write(store, grant(on(1)));
    await store.append(
      'billing-user-2',
      [
        {
          id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
          type: 'CreditsGranted',
          data: {},
          metadata: { ...metadataAt(on(2)), schemaVersion: 99 },
        },
      ],
      { expected: 'any' },
    );
    const { currentEvent } = await import('../../src/domain/stored/current.ts');
    const readable = {
      ...store,
      readAll: async (how?: object) => {
        const page = await store.readAll(how);
        return { ...page, events: page.events.map(currentEvent) };
      },
    };
    const result = await runReport(readable, days);
    expect([result.events, result.note]).toEqual([1, '1 event of the log could not be read and is left out.']);
  });

  it('reports its progress, and the remaining time once it is known', async () => {
    const store = await logOf(...Array.from({ length: 25 }, (_, nth) => grant(on(1), nth)));
    const small = { ...store, readAll: (how: object = {}) => store.readAll({ ...how, limit: 5 }) };
    let time = 0;
    const told: RunProgress[] = [];
    await foldOn(unfolded(days, null), {
      store: small,
      onProgress: (progress) => told.push(progress),
      clock: () => (time += 500),
    });
    expect(told.map(({ done }) => done)).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
    expect(told.map(({ events }) => events)).toEqual([5, 10, 15, 20, 25]);
    expect(told.map(({ secondsLeft }) => secondsLeft)).toEqual([null, 2, 1, 1, 0]);
  });

  it('yields to others', async () => {
    const store = await logOf(...Array.from({ length: 12 }, (_, nth) => grant(on(1), nth)));
    const slow = {
      ...store,
      readAll: (how: object = {}) => {
        for (const until = performance.now() + 7; performance.now() < until; );
        return store.readAll({ ...how, limit: 1 });
      },
    };
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    await foldOn(unfolded(days, null), { store: slow });
    running = false;
    expect(turns).toBeGreaterThan(10);
  });

  it('creates its tables once for the same events and the same query', async () => {
    let made = 0;
    const counting: Report<{ days: string[] }> = {
      ...days,
      tables: (...given) => {
        made += 1;
        return days.tables(...given);
      },
    };
    const store = await logOf(grant(on(1)));
    const folded = unfolded(counting, null);
    const told = async (params: object = {}, now = NOW) => {
      await foldOn(folded, { store });
      return resultOf(folded, { ...ALL, ...params }, now).tables[0]?.rows.length;
    };
    expect([await told(), await told(), await told({}, NOW.replace('12:00', '13:30')), made]).toEqual([1, 1, 1, 1]);
    expect([
      await told({ from: '2026-04-01' }),
      await told({}, '2027-01-01T00:00:00.000Z'),
      await told(),
      made,
    ]).toEqual([1, 1, 1, 3]);
    await write(store, grant(on(2), 1));
    expect([await told(), await told(), made]).toEqual([2, 2, 4]);
  });

  it('continues where it was interrupted', async () => {
    const store = await logOf(...Array.from({ length: 10 }, (_, nth) => grant(on(nth + 1), nth)));
    const small = { ...store, readAll: (how: object = {}) => store.readAll({ ...how, limit: 3 }) };
    const folded = unfolded(days, null);
    const stopping = new AbortController();
    const running = foldOn(folded, {
      store: small,
      signal: stopping.signal,
      onProgress: () => stopping.abort(new Error('enough')),
    });
    await expect(running).rejects.toThrow('enough');
    expect(folded.events).toBe(3);
    await foldOn(folded, { store: small });
    expect((folded.state as { days: string[] }).days).toHaveLength(10);
  });
});

describe('reports side by side', () => {
  const grants: Report<{ times: number }> = {
    name: 'grants',
    title: 'Grants',
    description: 'How many there were.',
    types: ['CreditsGranted', 'MailSent'],
    initial: () => ({ times: 0 }),
    evolve: (state) => ({ times: state.times + 1 }),
    tables: () => [],
  };

  it('share one reading, each with its own events', async () => {
    const log = await logOf(
      ...Array.from({ length: 8 }, (_, nth) => (nth % 2 ? other(on(nth + 1)) : grant(on(nth + 1), nth))),
    );
    let pages = 0;
    const small = {
      ...log,
      readAll: (how: object = {}) => {
        pages += 1;
        return log.readAll({ ...how, limit: 3 });
      },
    };
    const all = [unfolded(days, null), unfolded(grants, null)];
    await foldSideBySide(all, { store: small });
    expect(pages).toBe(3);
    expect(all.map(({ state, events }) => [state, events])).toEqual([
      [{ days: [1, 3, 5, 7].map((day) => on(day)) }, 4],
      [{ times: 8 }, 8],
    ]);
  });

  it('of a past moment each end where they would end alone', async () => {
    // The clock of the last grant's writer is wrong by days: alone, the report of grants reads as far as that.
    const store = await logOf(grant(on(1)), other(on(9)), grant(on(1, 30), 1), grant(on(9), 2), grant(on(1, 31), 3));
    const until = untilOf('2026-03-01');
    const [alone, together, beside] = [unfolded(days, until), unfolded(days, until), unfolded(grants, until)];
    await foldOn(alone, { store });
    await foldSideBySide([together, beside], { store });
    expect(together.state).toEqual(alone.state);
    expect([(alone.state as { days: string[] }).days.length, (beside.state as { times: number }).times]).toEqual([
      2, 1,
    ]);
  });

  it('are at the same position', async () => {
    const store = await logOf(grant(on(1)));
    const ahead = unfolded(days, null);
    await foldOn(ahead, { store });
    await expect(foldSideBySide([ahead, unfolded(grants, null)], { store })).rejects.toThrow(
      'stand at the same position',
    );
  });
});

describe('cached reports', () => {
  const read = (
    kept: ReturnType<typeof createKeptReports>,
    until: string | null = null,
    signal = never,
    report = days,
  ) =>
    kept
      .read({ report, until: until === null ? null : untilOf(until), signal })
      .then(({ state }) => (state as { days: string[] }).days.map((at) => at.slice(8, 10)));

  /** The requests to the log. */
  function watched(store: EventStore) {
    const asked: string[] = [];
    return {
      asked,
      store: {
        ...store,
        readAll: (how: { after?: string; filter?: { types?: readonly string[] } } = {}) => {
          if (how.filter?.types?.includes('CreditsGranted')) asked.push(how.after ?? '');
          return store.readAll(how);
        },
      },
    };
  }

  it('are continued to the current position', async () => {
    const store = await logOf(grant(on(1)));
    const { asked, store: seen } = watched(store);
    const kept = createKeptReports({ store: seen, now: () => 0 });
    expect(await read(kept)).toEqual(['01']);
    await write(store, grant(on(2), 1));
    expect(await read(kept)).toEqual(['01', '02']);
    expect(asked.map((after) => Number(after))).toEqual([0, 1]);
  });

  it('of a past moment are separate runs', async () => {
    const store = await logOf(grant(on(1)), grant(on(3), 1));
    const kept = createKeptReports({ store, now: () => 0 });
    expect(await read(kept)).toEqual(['01', '03']);
    expect(await read(kept, '2026-03-02')).toEqual(['01']);
    await write(store, grant(on(4), 2));
    expect(await read(kept, '2026-03-02')).toEqual(['01']);
    expect(await read(kept)).toEqual(['01', '03', '04']);
  });

  it('up to now are forgotten an hour after their last use', async () => {
    let time = 0;
    const { asked, store } = watched(await logOf(grant(on(1))));
    const kept = createKeptReports({ store, now: () => time });
    const other = { ...days, name: 'other', types: ['MailSent'] };
    await read(kept);
    await kept.settled();
    time += 60 * 60_000;
    await read(kept, null, never, other);
    await read(kept);
    expect(asked.map(Number)).toEqual([0, 1]);
    await kept.settled();
    time += 60 * 60_000 + 1;
    await read(kept, null, never, other);
    await read(kept);
    expect(asked.map(Number)).toEqual([0, 1, 0]);
  });

  it('serve concurrent requests with one reading', async () => {
    const { asked, store } = watched(await logOf(grant(on(1)), grant(on(2), 1)));
    const kept = createKeptReports({ store, now: () => 0 });
    const all = await Promise.all(Array.from({ length: 5 }, () => read(kept)));
    expect(all).toEqual(Array.from({ length: 5 }, () => ['01', '02']));
    expect(asked.filter((after) => Number(after) === 0)).toHaveLength(1);
  });

  it('of past moments are not dropped for others while a request waits', async () => {
    const log = await logOf(...Array.from({ length: 9 }, (_, nth) => grant(on(nth + 1), nth)));
    let go = (): void => undefined;
    const gate = new Promise<void>((open) => {
      go = open;
    });
    const { asked, store } = watched({
      ...log,
      readAll: async (how?: { readonly filter?: { readonly types?: readonly string[] } }) => {
        if (how?.filter?.types?.includes('CreditsGranted')) await gate;
        return log.readAll(how as object);
      },
    } as EventStore);
    const kept = createKeptReports({ store, now: () => 0 });
    const moments = [1, 2, 3, 4, 5, 6, 7].map((day) => `2026-03-0${day}`);
    const all = () => moments.map((moment) => read(kept, moment, new AbortController().signal));
    const [first, second] = [all(), all()];
    go();
    const lengths = (found: readonly (readonly string[])[]) => found.map((each) => each.length);
    expect([lengths(await Promise.all(first)), lengths(await Promise.all(second))]).toEqual([
      [1, 2, 3, 4, 5, 6, 7],
      [1, 2, 3, 4, 5, 6, 7],
    ]);
    expect(asked).toHaveLength(moments.length);
  });

  it('end for an aborted request, and for no other', async () => {
    const store = await logOf(grant(on(1)));
    let go = (): void => undefined;
    const gate = new Promise<void>((open) => {
      go = open;
    });
    const slow = {
      ...store,
      readAll: async (how?: object) => {
        await gate;
        return store.readAll(how);
      },
    };
    const kept = createKeptReports({ store: slow, now: () => 0 });
    const stopping = new AbortController();
    const [first, second] = [read(kept, null, stopping.signal), read(kept)];
    stopping.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    go();
    expect(await second).toEqual(['01']);
  });

  it('are rebuilt when something was deleted, once that is erased', async () => {
    let time = Date.parse(on(3));
    // Reports unaffected by deletions would not be rebuilt.
    const report = { ...days, types: [...days.types, 'JobFailed'] };
    const store = await logOf(grant(on(1)), grant(on(2), 1));
    const { asked, store: seen } = watched(store);
    const kept = createKeptReports({ store: seen, now: () => time });
    await read(kept, null, never, report);
    await write(store, happened('job-1', on(3), 'JobDeleted', { jobId: 'job-1', userId: 'user-1', deletedAt: on(3) }));
    await store.truncate('billing-user-1', 1n);
    expect(await read(kept, null, never, report)).toEqual(['01', '02']);
    time += 60_000;
    expect(await read(kept, null, never, report)).toEqual(['02']);
    expect(asked.filter((after) => Number(after) === 0)).toHaveLength(2);
    time += 60_000;
    expect(await read(kept, null, never, report)).toEqual(['02']);
    expect(asked.filter((after) => Number(after) === 0)).toHaveLength(2);
  });

  it('are rebuilt until deleted content is erased, however late', async () => {
    let time = Date.parse(on(3));
    let isErasing = true;
    const report = { ...days, types: [...days.types, 'JobFailed'] };
    const store = await logOf(
      grant(on(1)),
      grant(on(2), 1),
      happened('job-1', on(3), 'JobDeleted', { jobId: 'job-1', userId: 'user-1', deletedAt: on(3) }),
    );
    const { asked, store: seen } = watched(store);
    const kept = createKeptReports({ store: seen, now: () => time, isErasing: async () => isErasing });
    for (const minutes of [0, 1, 1]) {
      time += minutes * 60_000;
      expect(await read(kept, null, never, report)).toEqual(['01', '02']);
    }
    await store.truncate('billing-user-1', 1n);
    isErasing = false;
    time += 60_000;
    expect(await read(kept, null, never, report)).toEqual(['02']);
    const whole = asked.filter((after) => Number(after) === 0).length;
    time += 60_000;
    expect(await read(kept, null, never, report)).toEqual(['02']);
    expect(asked.filter((after) => Number(after) === 0)).toHaveLength(whole);
  });
});
