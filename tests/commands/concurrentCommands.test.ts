/** Many commands on one stream at once: what they cost, their order, and those that nobody waits for any more. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { handle, loadState } from '../../src/commands/handle.ts';
import { oneAtATime } from '../../src/commands/oneAtATime.ts';
import { changeAction } from '../../src/commands/plan/changeAction.ts';
import { readVerification } from '../../src/commands/plan/readVerification.ts';
import { endpointsNotified } from '../../src/commands/webhooks/webhookDeliveries.ts';
import { addWebhook, switchWebhook } from '../../src/commands/webhooks/webhooks.ts';
import { type EventStore, RevisionConflict } from '../../src/eventStore/eventStore.ts';
import { countingReads, product, userOf, withAdmin } from '../given/commands.ts';
import { finishedAnalysis } from '../given/finishedAnalysis.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { diary } from '../given/stores/foldToy.ts';

const STREAM = 'diary-1';
const note = (text: string) => ({ type: 'Note', text }) as const;

/** Every call takes as long as a few others: all commands read before the first of them has written. */
function slow(store: EventStore): EventStore {
  const late = async <T>(answer: Promise<T>): Promise<T> => {
    for (let nth = 0; nth < 3; nth += 1) await turn();
    return answer;
  };
  return Object.assign(Object.create(store) as EventStore, {
    read: (...input: Parameters<EventStore['read']>) => late(store.read(...input)),
    append: async (...input: Parameters<EventStore['append']>) => {
      await late(Promise.resolve());
      return store.append(...input);
    },
  });
}

describe('commands sent to one stream at once', () => {
  it('read it once each, and are written in the order in which they came', async () => {
    const { store, context } = product(rawEventStore());
    const { store: counting, events } = countingReads(slow(store));
    const texts = Array.from({ length: 40 }, (_, nth) => String(nth));
    await Promise.all(texts.map((text) => handle(context(undefined, counting), diary, STREAM, note(text))));
    expect((await loadState(store, diary, STREAM)).state.notes).toEqual(texts);
    expect(events()).toBe((40 * 39) / 2);
  });

  it('read only a few events each of a plan with many notes', async () => {
    const { made, jobId } = await finishedAnalysis();
    const { store, events } = countingReads(slow(made.store));
    const write = (nth: number) =>
      changeAction(made.context(undefined, store), {
        type: 'ChangeAction',
        jobId,
        actionId: 'title-missing',
        notes: `Note ${nth}`,
      });
    for (let nth = 0; nth < 100; nth += 1) await write(nth);
    const before = events();
    await Promise.all(Array.from({ length: 50 }, (_, nth) => write(1_000 + nth)));
    expect(events() - before).toBeLessThanOrEqual(50 * 3);
  });

  it('do not wait for those to other streams', async () => {
    const { store, context } = product(rawEventStore());
    let go = (): void => undefined;
    const stuck = new Promise<void>((resolve) => (go = resolve));
    const waiting = Object.assign(Object.create(store) as EventStore, {
      append: async (stream: string, ...input: [never, never]) => {
        if (stream === STREAM) await stuck;
        return store.append(stream, ...input);
      },
    });
    const first = handle(context(undefined, waiting), diary, STREAM, note('slow'));
    await handle(context(undefined, waiting), diary, 'diary-2', note('quick'));
    go();
    expect((await first).events).toHaveLength(1);
  });

  it('run after one that failed', async () => {
    const { store, context } = product(rawEventStore());
    await handle(context(), diary, STREAM, note('The end.'));
    const sent = await Promise.allSettled(
      [note('late'), note('later')].map((command) => handle(context(), diary, STREAM, command)),
    );
    expect(sent.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await loadState(store, diary, STREAM)).state.notes).toEqual(['The end.']);
  });
});

describe('a command that nobody waits for any more', () => {
  it('leaves the queue, and the next one is taken', async () => {
    const { store, context } = product(rawEventStore());
    const given = slow(store);
    const leaving = new AbortController();
    const gone = new Error('gone');
    const first = handle(context(undefined, given), diary, STREAM, note('first'));
    const second = handle({ ...context(undefined, given), signal: leaving.signal }, diary, STREAM, note('second'));
    const third = handle(context(undefined, given), diary, STREAM, note('third'));
    leaving.abort(gone);
    await expect(second).rejects.toBe(gone);
    await Promise.all([first, third]);
    expect((await loadState(store, diary, STREAM)).state.notes).toEqual(['first', 'third']);
  });

  it('is not tried again', async () => {
    const { store, context } = product(rawEventStore());
    const leaving = new AbortController();
    let appends = 0;
    const changing = Object.assign(Object.create(store) as EventStore, {
      append: async () => {
        appends += 1;
        if (appends === 3) leaving.abort(new Error('gone'));
        throw new RevisionConflict(STREAM, 'no_stream', 0n);
      },
    });
    await expect(
      handle({ ...context(undefined, changing), signal: leaving.signal }, diary, STREAM, note('mine')),
    ).rejects.toThrow('gone');
    expect(appends).toBe(3);
  });

  it('is still written if it need not wait', async () => {
    const { store, context } = product(rawEventStore());
    await handle({ ...context(), signal: AbortSignal.abort(new Error('gone')) }, diary, STREAM, note('mine'));
    expect((await loadState(store, diary, STREAM)).state.notes).toEqual(['mine']);
  });
});

it('one at a time: an aborted signal does not wait, and nothing is left behind', async () => {
  const store = rawEventStore();
  let end = (): void => undefined;
  const first = oneAtATime(store, STREAM, undefined, () => new Promise<void>((resolve) => (end = resolve)));
  await expect(oneAtATime(store, STREAM, AbortSignal.abort(new Error('gone')), async () => 'done')).rejects.toThrow(
    'gone',
  );
  end();
  await first;
  expect(await oneAtATime(store, STREAM, AbortSignal.abort(), async () => 'done')).toBe('done');
});

it('a webhook switched on and off many times is neither switched nor notified by reading all of that again', async () => {
  const made = await withAdmin();
  const userId = await userOf(made);
  const { store, events } = countingReads(made.store);
  const { endpointId } = await addWebhook(made.context(), {
    userId,
    url: 'https://hooks.example.com/',
    events: ['job.completed'],
    newToken: () => 'token',
  });
  const switched = (on: boolean) =>
    switchWebhook(made.context(undefined, store), { userId, endpointId, ...(on ? { on } : { on, reason: 'owner' }) });
  for (let nth = 0; nth < 150; nth += 1) await switched(nth % 2 === 1);
  const before = events();
  const { position } = await switched(false);
  await switched(true);
  const now = await endpointsNotified(store, { userId, event: 'job.completed', position: await made.store.head() });
  expect(now.map((endpoint) => endpoint.endpointId)).toEqual([endpointId]);
  expect(events() - before).toBeLessThan(10);
  expect(await endpointsNotified(store, { userId, event: 'job.completed', position })).toEqual([]);
});

it('reading the latest verification of an item reads the end of its plan', async () => {
  const { made, jobId } = await finishedAnalysis();
  const actionId = 'title-missing';
  const results = [
    {
      findingId: 'f',
      url: 'https://example.com/',
      place: 'head',
      message: 'Gone',
      state: 'fixed' as const,
      because: null,
    },
  ];
  const verification = {
    outcome: 'still_failing' as const,
    fixed: 1,
    stillThere: 1,
    notChecked: 0,
    stillThereAt: [],
    notCheckedAt: [],
  };
  for (let nth = 0; nth < 300; nth += 1)
    await changeAction(made.context(), { type: 'ChangeAction', jobId, actionId, notes: `Note ${nth}` });
  await changeAction(made.context(), { type: 'RecordVerification', jobId, actionId, verification, results });
  const { store, events } = countingReads(made.store);
  await readVerification(store, { jobId, actionId });
  const folded = events();
  expect((await readVerification(store, { jobId, actionId })).results).toEqual(results);
  expect(events() - folded).toBeLessThan(60);
  expect((await readVerification(store, { jobId, actionId: 'never verified' })).results).toEqual([]);
});
