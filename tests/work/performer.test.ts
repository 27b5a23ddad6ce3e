/** One claimed item. */
import { describe, expect, it } from 'vitest';
import { StoreUnavailable, UnreadableEvent } from '../../src/eventStore/eventStore.ts';
import { type Claim, type ClaimNotes, type Claims, NOTHING_NOTED } from '../../src/readModels/claims.ts';
import type { WorkItem, WorkKind, WorkOutcome } from '../../src/work/kind.ts';
import { createPerformer } from '../../src/work/performer.ts';
import { createReadWriteLock } from '../../src/work/readWriteLock.ts';
import { toyRule, until } from '../given/work/toyWork.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const at = '2026-01-01T00:00:00.000Z';
const nobodyWaits = async (): Promise<boolean> => false;
const item: WorkItem = {
  kind: 'toy',
  itemId: 'a',
  lane: 'ann',
  opening: '1',
  openedAt: at,
  dueAt: at,
  rank: 0,
  opener: { id: 'opener', stream: 'toy-a', revision: '0', type: 'ToyOwed' },
};
const claimNumber = (number: number): Claim => ({
  kind: 'toy',
  itemId: 'a',
  opening: '1',
  lane: 'ann',
  ...NOTHING_NOTED,
  number,
  holder: 'one',
  vanished: false,
});

describe('an item that is claimed again before the answer to its release arrives', () => {
  it('can be interrupted, and is awaited at the end', async () => {
    const received: (() => void)[] = [];
    const tries: { readonly signal: AbortSignal; end(outcome: WorkOutcome): void }[] = [];
    const kind = {
      rule: toyRule,
      stepsEnded: async () => 0,
      perform: (_item, _holding, signal) => new Promise((resolve) => tries.push({ signal, end: resolve })),
    } as Partial<WorkKind> as WorkKind;
    const claims = {
      letGo: () => new Promise((resolve) => received.push(() => resolve(true))),
    } as Partial<Claims> as Claims;
    const { perform, interrupt, idle } = createPerformer({
      claims,
      held: () => true,
      signal: new AbortController().signal,
      now: () => at,
      lock: createReadWriteLock(),
      log: quiet,
    });
    const first = perform(kind, item, claimNumber(1), nobodyWaits);
    await until(() => tries.length === 1);
    tries[0]?.end({ outcome: 'later', notBefore: at });
    await until(() => received.length === 1);
    // Free already for readers of the store.
    const second = perform(kind, item, claimNumber(2), nobodyWaits);
    await until(() => tries.length === 2);
    received[0]?.();
    await first;
    let isIdle = false;
    void idle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    interrupt('toy', 'a', 'JobCancelled');
    expect([tries[1]?.signal.aborted, isIdle]).toEqual([true, false]);
    tries[1]?.end({ outcome: 'later', notBefore: at });
    await until(() => received.length === 2);
    received[1]?.();
    await second;
    await until(() => isIdle);
  });
});

describe('giving up an item while another worker begins an attempt', () => {
  it('releases it, and records nothing', async () => {
    const received: (Partial<ClaimNotes> | undefined)[] = [];
    const kind = {
      rule: toyRule,
      stepsEnded: async () => 0,
      expiresAfterMs: 1,
      giveUp: async () => null,
    } as Partial<WorkKind> as WorkKind;
    const letGo: Claims['letGo'] = async (_claim, notes) => {
      received.push(notes);
      return true;
    };
    const now = '2026-01-01T00:00:01.000Z';
    const { perform } = createPerformer({
      claims: { letGo } as Partial<Claims> as Claims,
      held: () => true,
      signal: new AbortController().signal,
      now: () => now,
      lock: createReadWriteLock(),
      log: quiet,
    });
    expect(await perform(kind, item, claimNumber(1), nobodyWaits)).toBe('later');
    expect(received).toEqual([{ notBefore: now }]);
  });
});

describe('an item that can be neither done nor given up', () => {
  it('is tried again after ten minutes each, but after a second if only the store was away', async () => {
    let notes: Partial<ClaimNotes> = {};
    const claims = {
      letGo: async (_claim, changed) => {
        notes = { ...notes, ...changed };
        return true;
      },
    } as Partial<Claims> as Claims;
    let isAway = false;
    const fail = async (): Promise<never> => {
      throw isAway
        ? new StoreUnavailable('away')
        : new UnreadableEvent({ type: 'ToyOwed', stream: 'toy-a', revision: 0n, unreadable: 'no JSON' });
    };
    const kind = {
      rule: toyRule,
      stepsEnded: async () => 0,
      perform: () => Promise.reject(new Error('It fails.')),
      retryAfterMs: (attempts) => (attempts < 2 ? 2_000 : null),
      giveUp: fail,
    } as Partial<WorkKind> as WorkKind;
    const { perform } = createPerformer({
      claims,
      held: () => true,
      signal: new AbortController().signal,
      now: () => at,
      lock: createReadWriteLock(),
      log: quiet,
    });
    const waits: number[] = [];
    for (let number = 1; number <= 5; number += 1) {
      isAway = number === 4;
      await perform(kind, item, { ...claimNumber(number), attempts: notes.attempts ?? 0 }, nobodyWaits);
      waits.push((Date.parse(notes.notBefore ?? at) - Date.parse(at)) / 1_000);
    }
    expect(waits).toEqual([2, 600, 600, 1, 600]);
  });
});
