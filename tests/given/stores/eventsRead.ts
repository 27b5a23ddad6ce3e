/** How many events of streams are read while something runs. */
import { vi } from 'vitest';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';

export async function eventsRead(store: EventStore, run: () => Promise<unknown>): Promise<number> {
  const read = vi.spyOn(store, 'read');
  try {
    await run();
    const answers = await Promise.all(read.mock.results.map(({ value }) => value as ReturnType<EventStore['read']>));
    return answers.reduce((sum, answer) => sum + (answer.status === 'found' ? answer.events.length : 0), 0);
  } finally {
    read.mockRestore();
  }
}
