/** What a process remembers of the lanes that wait, while the list changes and is read. */
import { describe, expect, it } from 'vitest';
import { createWaitingLanes } from '../../src/work/waiting.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
const state = (seconds: number, rank = 0) => ({ dueAt: at(seconds), rank, network: null });

describe('waiting lanes', () => {
  it('are due with the earliest of their items, and have the highest rank, until they were read', () => {
    const waiting = createWaitingLanes();
    for (const [lane, seconds, rank] of [
      ['a', 2, 0],
      ['a', 1, 0],
      ['a', 3, 2],
      ['b', 5, 1],
    ] as const)
      waiting.offer(lane, state(seconds, rank));
    expect([...waiting.all()]).toMatchObject([
      { lane: 'a', ...state(1, 2) },
      { lane: 'b', ...state(5, 1) },
    ]);
    expect(waiting.nextDueAt()).toBe(at(1));
    waiting.correct('a', state(3, 0), waiting.offers());
    expect([...waiting.all()]).toMatchObject([{ lane: 'a', ...state(3, 0) }, { lane: 'b' }]);
    for (const lane of ['a', 'b']) waiting.correct(lane, null, waiting.offers());
    expect(waiting.nextDueAt()).toBeNull();
  });

  it('keep what was offered while the list was being read', () => {
    const waiting = createWaitingLanes();
    waiting.offer('a', state(1));
    const before = waiting.offers();
    waiting.offer('a', state(2));
    waiting.correct('a', null, before);
    expect(waiting.nextDueAt()).toBe(at(1));
  });
});
