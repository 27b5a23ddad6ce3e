import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import type { ReadAsOf } from '../../../src/work/known.ts';
import { createInactiveUsers } from '../../../src/work/sweeps/inactiveUsers.ts';
import { atEveryCrash, orCrash, product, withAdmin } from '../../given/commands.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { asOfIf, still } from '../../given/work/following.ts';
import { activeSequence, provenUser, sequenceWorld } from '../../given/work/sequences.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work;
afterEach(() => work.close());

const DAY_MINUTES = 24 * 60;
const USERS = 5;

async function open(stored = product()) {
  work = await openWork(await withAdmin(stored));
  const { made } = work;
  await activeSequence(made, [0], 'inactive_14_days');
  for (let nth = 0; nth < USERS; nth += 1) await provenUser(made, `user${nth}@example.com`);
  return { made, world: sequenceWorld(work) };
}
const enrolled = async () =>
  (await work.made.log()).flatMap(({ type, data }) => (type === 'SequenceEnrolled' ? [data] : []));

it('enrolls users inactive for two weeks: not before, once, wherever a process crashes, page by page', async () => {
  const deaths = await atEveryCrash(async (breaking) => {
    const { made, world } = await open();
    const began = made.now();
    made.pass(14 * DAY_MINUTES - 1);
    const first = await world.sweep().run(null, still);
    expect(first.done).toBe(0);
    made.pass(1);
    await orCrash(world.sweep(breaking(made.store)).run(first.kept, still));
    const second = await world.sweep().run(first.kept, still);
    expect(await world.sweep().run(second.kept, still)).toMatchObject({ done: 0 });
    expect(await world.sweep().run(null, still)).toMatchObject({ done: 0 });
    expect(await enrolled()).toHaveLength(USERS);
    expect((await enrolled())[0]).toMatchObject({
      triggeredAt: new Date(Date.parse(began) + 14 * DAY_MINUTES * 60_000).toISOString(),
    });
    await work.close();
  });
  expect(deaths).toBeGreaterThan(USERS);
  await open();
});

it('resumes after the clock was set back, and waits while the lists are behind', async () => {
  const { made, world } = await open();
  made.pass(20 * DAY_MINUTES);
  const ahead = new Date(made.clock.now() + 365 * DAY_MINUTES * 60_000).toISOString();
  expect((await world.sweep().run(ahead, still)).done).toBe(USERS);
  const behind = createInactiveUsers({
    context: () => made.context(),
    asOf: asOfIf(false),
    activeSequences: async () => ['one'],
    listQuiet: () => Promise.reject(new Error('Nothing is to be listed.')),
  });
  expect(await behind.run('kept', still)).toEqual({ done: 0, kept: 'kept' });
});

it('begins again with everybody when the lists were lost while they were read', async () => {
  const { made } = await open();
  const answers = [{ answer: ['one'] }, { answer: { users: [], cursor: 'more' } }, null];
  const losing = createInactiveUsers({
    context: () => made.context(),
    asOf: (async () => answers.shift()) as ReadAsOf,
    activeSequences: async () => [],
    listQuiet: async () => ({ users: [], cursor: null }),
  });
  expect(await losing.run('kept', still)).toMatchObject({ done: 0, kept: 'kept' });
  expect(answers).toEqual([]);
});

it('skips users that cannot be read, and reports them', async () => {
  const raw = rawEventStore();
  const { made, world } = await open(product(withStoredEvents(raw)));
  const later = { type: 'AccountMailChoiceSet', data: {}, metadata: { ...metadataAt(made.now()), schemaVersion: 99 } };
  const [first = ''] = (await made.log()).flatMap(({ stream, data }) =>
    'email' in data && data.email === 'user0@example.com' ? [stream] : [],
  );
  await raw.append(first, [{ id: randomUUID(), ...later }], { expected: 'any' });
  made.pass(14 * DAY_MINUTES);
  const { done, kept, passedOver } = await world.sweep().run(null, still);
  expect([done, passedOver?.map(({ message }) => message)]).toEqual([
    USERS - 1,
    [expect.stringContaining(`of ${first} cannot be read`)],
  ]);
  expect(await world.sweep().run(kept, still)).toMatchObject({ done: 0, passedOver: [] });
});
