/** Events that a follower could not process: set aside, retried, completed or dropped. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { derivedId } from '../../../src/commands/derivedId.ts';
import { handle } from '../../../src/commands/handle.ts';
import { followUpStream, workStream } from '../../../src/domain/work/events.ts';
import { workDecider } from '../../../src/domain/work/followUp.ts';
import type { EventStore, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { type Follower, NotYet } from '../../../src/work/follower.ts';
import type { WorkKind } from '../../../src/work/kind.ts';
import { FOLLOW_UP, followUpKind, setFollowUpAside } from '../../../src/work/kinds/followUp.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let made: Product;
let work: Work;
let taken: RecordedEvent[];
/** Thrown by the follower, one after another. */
let failures: Error[];
beforeEach(async () => {
  made = await withAdmin();
  work = await openWork(made);
  taken = [];
  failures = [];
});
afterEach(() => work.close());

const follower = (name: string): Follower => ({
  name,
  types: ['AccountRegistered'],
  begins: 'at_the_start',
  follow: async (event) => {
    taken.push(event);
    const failure = failures.shift();
    if (failure) throw failure;
  },
});

const kindOn = (store: EventStore = made.store, followers = [follower('greetings')]): WorkKind =>
  followUpKind({ context: () => made.context(undefined, store), now: made.now, followers }, { random: () => 0.5 });

async function registered(): Promise<RecordedEvent> {
  await userOf(made);
  return (await made.log()).findLast(({ type }) => type === 'AccountRegistered') as RecordedEvent;
}

async function setAside(event: RecordedEvent, name = 'greetings'): Promise<string> {
  await setFollowUpAside(made.context(), name, event, 'TypeError');
  return derivedId(event.id, 'followUp', name);
}
const streamOf = async (followUpId: string) => {
  const read = await made.store.read(followUpStream(followUpId));
  return read.status === 'found' ? read.events.map(({ type, data }) => ({ type, data })) : [];
};
const isDone = () => until(async () => (await work.listed(FOLLOW_UP)).length === 0);

describe('an event that was set aside', () => {
  it('is pending once per follower, with its position and without its content', async () => {
    const event = await registered();
    const followUpId = await setAside(event);
    await setAside(event);
    expect(await work.listed(FOLLOW_UP)).toEqual([followUpId]);
    expect(await work.item(FOLLOW_UP, followUpId)).toMatchObject({ lane: 'greetings', openedAt: made.now() });
    await setAside(event, 'another');
    expect(await work.listed(FOLLOW_UP)).toHaveLength(2);
    const { stream, type: eventType } = event;
    const data = {
      followUpId,
      follower: 'greetings',
      stream,
      revision: '0',
      eventType,
      error: 'TypeError',
      setAsideAt: made.now(),
    };
    expect(await streamOf(followUpId)).toEqual([{ type: 'FollowUpSetAside', data }]);
  });

  it('is completed as soon as its follower processes it, given the stored event', async () => {
    const event = await registered();
    const followUpId = await setAside(event);
    work.start([kindOn()]);
    await isDone();
    expect(taken).toEqual([event]);
    expect((await streamOf(followUpId)).map(({ type }) => type)).toEqual(['FollowUpSetAside', 'FollowUpDone']);
  });

  it('is retried with back-off until it succeeds', async () => {
    failures = [new Error('first'), new Error('second')];
    const followUpId = await setAside(await registered());
    work.start([kindOn()]);
    await until(() => taken.length === 1);
    await work.settle();
    expect(await work.claim(FOLLOW_UP, followUpId)).toMatchObject({ attempts: 1, failure: 'Error' });
    await work.pass(1);
    expect(taken).toHaveLength(2);
    await work.pass(1);
    expect(taken).toHaveLength(2);
    await work.pass(1);
    await isDone();
    expect(taken).toHaveLength(3);
  });

  it('is never given up automatically, and due at once on request', async () => {
    failures = Array.from({ length: 30 }, () => new Error('not yet'));
    const followUpId = await setAside(await registered());
    work.start([kindOn()]);
    for (let nth = 1; nth <= 30; nth += 1) {
      await until(() => taken.length === nth);
      await work.settle();
      if (nth < 30) made.pass(60);
    }
    expect(await work.claim(FOLLOW_UP, followUpId)).toMatchObject({ attempts: 30 });
    await handle(made.context(), workDecider, workStream(FOLLOW_UP, followUpId), {
      type: 'AskRetry',
      kind: FOLLOW_UP,
      itemId: followUpId,
      at: made.now(),
    });
    await isDone();
    expect(taken).toHaveLength(31);
  });

  it('is dropped when its event or its follower no longer exists', async () => {
    const event = await registered();
    const erased = await setAside(event);
    const unknown = await setAside((await made.log())[0] as RecordedEvent, 'a follower of an earlier version');
    await made.store.delete(event.stream);
    work.start([kindOn()]);
    await isDone();
    expect(taken).toEqual([]);
    for (const id of [erased, unknown]) {
      expect((await streamOf(id)).at(-1)).toEqual({
        type: 'FollowUpDropped',
        data: { followUpId: id, reason: 'gone', droppedAt: made.now() },
      });
    }
  });

  it('is dropped when it is given up, and then not set aside again', async () => {
    const event = await registered();
    const followUpId = await setAside(event);
    const item = await work.item(FOLLOW_UP, followUpId);
    if (!item) throw new Error('It is not pending.');
    const position = await kindOn().giveUp(item, 'failed', () => true);
    expect(position).toBe((await made.log()).at(-1)?.position);
    await setAside(event);
    expect(await work.listed(FOLLOW_UP)).toEqual([]);
    expect((await streamOf(followUpId)).at(-1)).toMatchObject({ type: 'FollowUpDropped', data: { reason: 'dropped' } });
  });

  it('is taken over by another process when its worker vanishes', async () => {
    const followUpId = await setAside(await registered());
    let answer = (): void => undefined;
    const hanging: Follower = { ...follower('greetings'), follow: () => new Promise((resolve) => (answer = resolve)) };
    const dying = work.startMortal((store) => [kindOn(store, [hanging])], 'one');
    await until(async () => (await work.claim(FOLLOW_UP, followUpId))?.holder === 'one');
    await work.settle();
    const vanished = dying.vanish();
    answer();
    await vanished;
    expect((await streamOf(followUpId)).map(({ type }) => type)).toEqual(['FollowUpSetAside']);
    work.start([kindOn()], { holder: 'two' });
    await isDone();
    expect((await streamOf(followUpId)).map(({ type }) => type)).toEqual(['FollowUpSetAside', 'FollowUpDone']);
  });

  it('waits for read models without counting a failure', async () => {
    failures = [new NotYet('The read models are behind.')];
    const followUpId = await setAside(await registered());
    work.start([kindOn()]);
    await until(() => taken.length === 1);
    await work.settle();
    expect(await work.claim(FOLLOW_UP, followUpId)).toMatchObject({ attempts: 0, failure: null, holder: null });
    await work.pass(5);
    await isDone();
    expect(taken).toHaveLength(2);
  });

  it('of one follower delays no other', async () => {
    const stuck = (_event: RecordedEvent, signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    for (let nth = 0; nth < 8; nth += 1) await userOf(made, `user${nth}@example.com`);
    const events = (await made.log()).filter(({ type }) => type === 'AccountRegistered');
    for (const event of events) await setAside(event, 'slow');
    const followUpId = await setAside(events[0] as RecordedEvent);
    work.start([kindOn(made.store, [{ ...follower('slow'), follow: stuck }, follower('greetings')])]);
    await until(async () => (await streamOf(followUpId)).length === 2);
    expect(await work.listed(FOLLOW_UP)).toHaveLength(events.length);
  });
});
