/** A worker is notified when its work was ended by others. */
import { afterEach, describe, expect, it } from 'vitest';
import { derivedId } from '../../src/commands/derivedId.ts';
import { type EventStore, type RecordedEvent, StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { interruptsOf, startInterrupting } from '../../src/work/interrupts.ts';
import { WORK_RULES } from '../../src/work/rules.ts';
import { manualClock } from '../given/manualClock.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { sleepOn } from '../given/work/following.ts';
import { rest, until } from '../given/work/toyWork.ts';

const stopping: AbortController[] = [];
afterEach(() => {
  for (const each of stopping.splice(0)) each.abort();
});

describe('an event that ends an item in progress', () => {
  it('is reported at once; nothing earlier is, and events during an outage are reported as soon as it is over', async () => {
    const clock = manualClock();
    const store = rawEventStore();
    let breakOff = (): void => undefined;
    let away = false;
    const breaking: EventStore = Object.assign(Object.create(store) as EventStore, {
      subscribe: async function* (options: Parameters<EventStore['subscribe']>[0]) {
        if (away) throw new StoreUnavailable('away');
        const broken = new AbortController();
        breakOff = () => broken.abort();
        yield* store.subscribe({ ...options, signal: broken.signal });
        throw new StoreUnavailable('away');
      },
    });
    let written = 0;
    const happen = async (type: string): Promise<void> => {
      written += 1;
      const event = {
        id: derivedId('interrupts', String(written)),
        type,
        data: { written },
        metadata: metadataAt('2026-01-01T00:00:00.000Z'),
      };
      await store.append('one', [event], { expected: 'any' });
    };
    await happen('Cancelled');
    const received: unknown[] = [];
    const ending = new AbortController();
    stopping.push(ending);
    const { done } = startInterrupting({
      store: breaking,
      types: ['Cancelled'],
      signal: ending.signal,
      sleep: sleepOn(clock),
      interrupt: ({ data }) => void received.push(data),
      log: { error: () => undefined },
    });
    await rest();
    await happen('Cancelled');
    await happen('Other');
    await until(() => received.length === 1);
    away = true;
    breakOff();
    await rest();
    await happen('Cancelled');
    clock.advance(1_000);
    await rest();
    expect(received).toEqual([{ written: 2 }]);
    away = false;
    clock.advance(1_000);
    await until(() => received.length === 2);
    expect(received).toEqual([{ written: 2 }, { written: 4 }]);
    ending.abort();
    breakOff();
    await done;
    await store.close();
  });

  it('is noticed from the moment that is announced, however late the store answers, and also if it was away', async () => {
    const clock = manualClock();
    const store = rawEventStore();
    const answers: ((isThere: boolean) => void)[] = [];
    const slow: EventStore = Object.assign(Object.create(store) as EventStore, {
      head: async () => {
        if (!(await new Promise<boolean>((resolve) => answers.push(resolve)))) throw new StoreUnavailable('away');
        return store.head();
      },
    });
    const received: unknown[] = [];
    const ending = new AbortController();
    stopping.push(ending);
    const { begun, done } = startInterrupting({
      store: slow,
      types: ['Cancelled'],
      signal: ending.signal,
      sleep: sleepOn(clock),
      interrupt: ({ data }) => void received.push(data),
      log: { error: () => undefined },
    });
    let isBegun = false;
    void begun.then(() => {
      isBegun = true;
    });
    await until(() => answers.length === 1);
    answers[0]?.(false);
    await rest();
    clock.advance(1_000);
    await until(() => answers.length === 2);
    expect(isBegun).toBe(false);
    answers[1]?.(true);
    await begun;
    const event = {
      id: derivedId('interrupts', 'slow'),
      type: 'Cancelled',
      data: {},
      metadata: metadataAt('2026-01-01T00:00:00.000Z'),
    };
    await store.append('one', [event], { expected: 'any' });
    await until(() => received.length === 1);
    ending.abort();
    await done;
    await store.close();
  });
});

describe('the kinds of work', () => {
  it('list the events that interrupt a holder: all closing events written by others', () => {
    for (const rule of WORK_RULES)
      for (const type of rule.interrupts ?? []) expect(Object.keys(rule.closes)).toContain(type);
    const stopped: string[] = [];
    const { types, interrupt } = interruptsOf(
      WORK_RULES.map((rule) => ({ rule })),
      (kind, itemId, why) => stopped.push(`${kind} ${itemId} ${why}`),
    );
    const data = { jobId: 'j', reworkId: 'r', userId: 'u' };
    for (const type of [...types, 'JobCompleted']) interrupt({ type, data } as RecordedEvent);
    expect(stopped.sort()).toEqual([
      'accountExport u AccountExportFailed',
      'accountExport u AccountExportRemoved',
      'audit j JobCancelled',
      'audit j JobDeleted',
      'audit j JobFailed',
      'promptTrial j PromptTrialForgotten',
      'promptTrial j PromptTrialGivenUp',
      'rework r ReworkGivenUp',
    ]);
  });
});
