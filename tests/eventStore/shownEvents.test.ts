/** A server's log, which still shows erased events, read without them. */
import { describe, expect, it } from 'vitest';
import { type EventStore, START } from '../../src/eventStore/eventStore.ts';
import { shownEvents } from '../../src/eventStore/shownEvents.ts';
import { happened, logOf } from '../given/reports.ts';

const AT = '2026-03-01T12:00:00.000Z';
const deleted = (stream: string) => happened(stream, AT, 'JobDeleted', { jobId: '1', userId: 'ann', deletedAt: AT });

/** As it was before anything was erased. */
async function serverOf(log: EventStore): Promise<EventStore> {
  const all = await log.readAll();
  return { ...log, readAll: async () => all };
}

describe('the events that streams show', () => {
  it('are the current ones whenever the log is read from its beginning', async () => {
    const log = await logOf(deleted('job-1'), deleted('job-1'), deleted('job-2'));
    const shown = shownEvents(await serverOf(log));
    const streams = async (after?: string) =>
      (await shown.readAll(after === undefined ? {} : { after })).events.map(({ stream }) => stream);
    expect(await streams()).toEqual(['job-1', 'job-1', 'job-2']);
    await log.truncate('job-1', 1n);
    await log.delete('job-2');
    expect(await streams(START)).toEqual(['job-1']);
  });

  it('are complete for a reader that continues while another starts over', async () => {
    const log = await logOf(deleted('job-1'));
    let go = (): void => undefined;
    const gate = new Promise<void>((open) => {
      go = open;
    });
    let asked = 0;
    const server = await serverOf(log);
    const slow: EventStore = {
      ...server,
      async read(...what) {
        asked += 1;
        if (asked === 1) await gate;
        return server.read(...what);
      },
    };
    const shown = shownEvents(slow);
    const first = shown.readAll();
    expect((await shown.readAll()).events).toHaveLength(1);
    go();
    expect((await first).events).toHaveLength(1);
  });
});
