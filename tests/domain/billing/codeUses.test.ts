/** Uses of a promotion code with a limit: reserved, released and settled, from any state, in any order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CodeCommand,
  type CodeState,
  codeDecider,
  paymentsInTheWay,
  usesLeft,
} from '../../../src/domain/code/code.ts';
import type { CodeEvent } from '../../../src/domain/code/events.ts';
import { DomainError } from '../../../src/domain/decider.ts';
import { runs } from '../../given/fullForm.ts';

const AT = Date.parse('2026-03-10T12:00:00.000Z');
const time = (minute: number): string => new Date(AT + minute * 60_000).toISOString();
const limits = { code: { max: 3, used: 1 }, coupon: null };
const who = (user: number) => ({ promotionCodeId: 'promo_1', code: 'FEW', userId: `user-${user}` });
const reserve = (use: number, minute = 0, user = use): CodeCommand => ({
  type: 'ReserveCodeUse',
  codeId: 'c-1',
  useId: `use-${use}`,
  ...who(user),
  limits,
  expiresAt: time(minute + 30),
  at: time(minute),
});
const settle = (use: number, minute = 1): CodeCommand => ({
  type: 'SettleCodeUse',
  codeId: 'c-1',
  useId: `use-${use}`,
  ...who(use),
  paymentIntentId: `pi_${use}`,
  at: time(minute),
});
const release = (use: number, minute = 1): CodeCommand => ({
  type: 'ReleaseCodeUse',
  codeId: 'c-1',
  useId: `use-${use}`,
  reason: 'left',
  at: time(minute),
});

function done(...commands: readonly CodeCommand[]): {
  readonly state: CodeState;
  readonly events: readonly CodeEvent[];
} {
  let state = codeDecider.initialState();
  const events: CodeEvent[] = [];
  for (const command of commands) {
    for (const event of codeDecider.decide(command, state)) {
      events.push(event);
      state = codeDecider.evolve(state, event);
    }
  }
  return { state, events };
}
const left = (state: CodeState, minute: number) => usesLeft(state, 'promo_1', limits, time(minute));
const types = (...commands: readonly CodeCommand[]) => done(...commands).events.map(({ type }) => type);

const start = (use: number, minute = 0): CodeCommand => ({
  type: 'StartCodeUse',
  codeId: 'c-1',
  useId: `use-${use}`,
  paymentIntentId: `pi_${use}`,
  at: time(minute),
});

describe('the checkouts in the way of another one', () => {
  const inTheWay = (user: number, minute: number, ...commands: readonly CodeCommand[]) =>
    paymentsInTheWay(done(...commands).state, { ...who(user), limits, at: time(minute) }).map(({ useId }) => useId);

  it('are none where nothing was started', () =>
    expect([inTheWay(1, 0), inTheWay(1, 60, reserve(1), reserve(2))]).toEqual([[], []]));

  it('are all of the same buyer, expired or not', () =>
    expect([
      inTheWay(1, 1, reserve(1), start(1), reserve(2), start(2)),
      inTheWay(1, 60, reserve(1), start(1), reserve(2), start(2)),
    ]).toEqual([['use-1'], ['use-1']]));

  it('are the one of others that was forgotten longest, if no use is free', () => {
    const both = [reserve(2, 5), start(2, 5), reserve(1), start(1)];
    expect([inTheWay(9, 29, ...both), inTheWay(9, 31, ...both), inTheWay(9, 60, ...both)]).toEqual([
      [],
      ['use-1'],
      ['use-1'],
    ]);
    expect(inTheWay(9, 60, reserve(1), start(1))).toEqual([]);
  });
});

describe('a use of a code', () => {
  it('is held for as long as its payment can be made', () => {
    const started = [reserve(1), start(1), reserve(2), start(2)];
    expect(left(done(...started).state, 600)).toEqual({ unused: 2, free: 0 });
    expect(() => done(...started, reserve(3, 600))).toThrow(DomainError);
    expect(left(done(...started, release(1)).state, 600)).toEqual({ unused: 2, free: 1 });
  });

  it('is started once, and not after another checkout has replaced it', () => {
    expect(types(reserve(1), start(1), start(1), settle(1), start(1))).toEqual([
      'CodeUseReserved',
      'CodeUseStarted',
      'CodeUsed',
    ]);
    expect(() => done(reserve(1, 0, 1), reserve(2, 1, 1), start(1, 2))).toThrow(DomainError);
  });

  it('is reserved and settled once, however often it is asked for', () =>
    expect(types(reserve(1), reserve(1), settle(1), settle(1), reserve(1), release(1))).toEqual([
      'CodeUseReserved',
      'CodeUsed',
    ]));

  it('is refused when none is left, and free again after a release', () => {
    expect(() => done(reserve(1), reserve(2), reserve(3))).toThrow(
      expect.objectContaining({ code: 'DISCOUNT_INVALID' }),
    );
    expect(types(reserve(1), reserve(2), release(1), release(1), reserve(3))).toHaveLength(4);
  });

  it('expires, and is honored all the same', () => {
    const { events } = done(reserve(1), reserve(2), reserve(3, 30), settle(1, 31), settle(2, 31), settle(3, 31));
    expect(events.map(({ type, data }) => [type, 'afterRelease' in data])).toEqual([
      ['CodeUseReserved', false],
      ['CodeUseReserved', false],
      ['CodeUseReleased', false],
      ['CodeUseReleased', false],
      ['CodeUseReserved', false],
      ['CodeUsed', true],
      ['CodeUsed', true],
      ['CodeUsed', false],
    ]);
  });

  it('is left over again once the checkouts that hold it have expired, without another one opening', () => {
    const { state } = done(reserve(1), reserve(2));
    expect(left(state, 29)).toEqual({ unused: 2, free: 0 });
    expect(left(state, 30)).toEqual({ unused: 2, free: 2 });
  });

  it('of a user replaces the former one', () =>
    expect(types(reserve(1, 0, 7), reserve(2, 1, 7), reserve(3, 1, 7))).toEqual([
      'CodeUseReserved',
      'CodeUseReleased',
      'CodeUseReserved',
      'CodeUseReleased',
      'CodeUseReserved',
    ]));

  it('is not reserved beyond the limit, and never settled twice, in any history', () => {
    const step = fc.tuple(fc.constantFrom(reserve, release, settle), fc.nat(9), fc.nat(90));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = codeDecider.initialState();
        const past: { readonly state: CodeState; readonly minute: number; readonly before: object }[] = [];
        const settled: string[] = [];
        let minute = 0;
        for (const [act, use, wait] of steps) {
          minute += wait;
          try {
            for (const event of codeDecider.decide(act(use, minute), state)) {
              if (event.type === 'CodeUsed') settled.push(event.data.useId);
              if (event.type === 'CodeUseReserved') expect(left(state, minute).free).toBeGreaterThan(0);
              past.push({ state, minute, before: left(state, minute) });
              state = codeDecider.evolve(state, event);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
          }
        }
        expect(new Set(settled).size).toBe(settled.length);
        // No state has changed since.
        for (const { state: then, minute: at, before } of past) expect(left(then, at)).toEqual(before);
      }),
      { seed: 20261129, numRuns: runs(300) },
    );
  });
});
