/** Uses of a promotion code for reports: reserved by an open checkout, released when it is left, settled by payment. */
import { ascending } from '../../model/order.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { CodeEvent, CodeReleaseReason } from './events.ts';

/** What the provider says. Each `null` has no limit; `used`: uses by plans, which the provider counts itself. */
export type CodeLimits = {
  readonly code: { readonly max: number; readonly used: number } | null;
  /** Of all codes of the discount together. */
  readonly coupon: { readonly max: number; readonly used: number } | null;
};

type OpenUse = {
  readonly promotionCodeId: string;
  readonly userId: string;
  readonly expiresAt: string;
  /** Null: there is none yet, or a former version created it. */
  readonly paymentIntentId: string | null;
};

export type CodeState = {
  readonly open: Readonly<Record<string, OpenUse>>;
  /** Settled uses by code. */
  readonly used: Readonly<Record<string, number>>;
  /**
   * The settled uses, by the order in which they were: shared by all states of a history, so that one more takes
   * constant time. A state ignores those after `settled`.
   */
  readonly uses: Map<string, number>;
  readonly settled: number;
};

type Who = { readonly promotionCodeId: string; readonly code: string; readonly userId: string };

/** `at` is the time of the command, UTC ISO. */
export type CodeCommand =
  | ({
      readonly type: 'ReserveCodeUse';
      readonly codeId: string;
      readonly useId: string;
      readonly limits: CodeLimits;
      readonly expiresAt: string;
      readonly at: string;
    } & Who)
  | {
      readonly type: 'StartCodeUse';
      readonly codeId: string;
      readonly useId: string;
      readonly paymentIntentId: string;
      readonly at: string;
    }
  | {
      readonly type: 'ReleaseCodeUse';
      readonly codeId: string;
      readonly useId: string;
      readonly reason: CodeReleaseReason;
      readonly at: string;
    }
  | ({
      readonly type: 'SettleCodeUse';
      readonly codeId: string;
      readonly useId: string;
      readonly paymentIntentId: string;
      readonly at: string;
    } & Who);

type Command<Type extends CodeCommand['type']> = Extract<CodeCommand, { readonly type: Type }>;

export const codeDecider: Decider<CodeState, CodeCommand, CodeEvent> = {
  initialState: () => ({ open: {}, used: {}, uses: new Map(), settled: 0 }),
  evolve,
  decide(command, state) {
    switch (command.type) {
      case 'ReserveCodeUse':
        return reserve(command, state);
      case 'StartCodeUse':
        return start(command, state);
      case 'ReleaseCodeUse':
        return Object.hasOwn(state.open, command.useId) ? [released(command, command.useId, command.reason)] : [];
      case 'SettleCodeUse':
        return settle(command, state);
      default:
        return unreachable(command);
    }
  },
  keptFrom: 100,
};

function evolve(state: CodeState, event: CodeEvent): CodeState {
  switch (event.type) {
    case 'CodeUseReserved': {
      const { useId, promotionCodeId, userId, expiresAt } = event.data;
      return {
        ...state,
        open: { ...state.open, [useId]: { promotionCodeId, userId, expiresAt, paymentIntentId: null } },
      };
    }
    case 'CodeUseStarted': {
      const { useId, paymentIntentId } = event.data;
      const use = state.open[useId];
      return use ? { ...state, open: { ...state.open, [useId]: { ...use, paymentIntentId } } } : state;
    }
    case 'CodeUseReleased': {
      const { [event.data.useId]: _, ...open } = state.open;
      return { ...state, open };
    }
    case 'CodeUsed': {
      const { useId, promotionCodeId } = event.data;
      const { [useId]: _, ...open } = state.open;
      // Another history has continued this one.
      const uses = state.uses.size === state.settled ? state.uses : new Map([...state.uses].slice(0, state.settled));
      const settled = state.settled + 1;
      uses.set(useId, settled);
      const used = { ...state.used, [promotionCodeId]: (state.used[promotionCodeId] ?? 0) + 1 };
      return { open, used, uses, settled };
    }
    default:
      event satisfies never;
      return state;
  }
}

const isSettled = ({ uses, settled }: CodeState, useId: string): boolean =>
  (uses.get(useId) ?? Number.POSITIVE_INFINITY) <= settled;

/** `unused`: not made yet, by plans or reports; `free`: of these, what no open checkout has reserved. */
export type UsesLeft = { readonly unused: number; readonly free: number };

/**
 * At least one of the limits is set. `at`: now, UTC ISO. A checkout that has expired holds its use for as long as its
 * payment can be made.
 */
export function usesLeft(
  state: CodeState,
  promotionCodeId: string,
  { code, coupon }: CodeLimits,
  at: string,
): UsesLeft {
  const open = Object.values(state.open).filter(
    ({ expiresAt, paymentIntentId }) => expiresAt > at || paymentIntentId !== null,
  );
  const ofCode = open.filter((each) => each.promotionCodeId === promotionCodeId).length;
  const left = [
    ...(code ? [{ unused: code.max - code.used - (state.used[promotionCodeId] ?? 0), open: ofCode }] : []),
    ...(coupon ? [{ unused: coupon.max - coupon.used - state.settled, open: open.length }] : []),
  ];
  const least = (numbers: readonly number[]): number => Math.max(0, Math.min(...numbers));
  return {
    unused: least(left.map(({ unused }) => unused)),
    free: least(left.map(({ unused, open: reserved }) => unused - reserved)),
  };
}

/**
 * The payments to cancel so that this user can reserve a use: their own, and if none is free then, the one that others
 * have forgotten longest. It could still be paid for, however long ago its use expired.
 */
export function paymentsInTheWay(
  state: CodeState,
  {
    promotionCodeId,
    userId,
    limits,
    at,
  }: Pick<Command<'ReserveCodeUse'>, 'promotionCodeId' | 'userId' | 'limits' | 'at'>,
): readonly { readonly useId: string; readonly userId: string; readonly paymentIntentId: string }[] {
  const started = Object.entries(state.open).flatMap(([useId, { paymentIntentId, ...use }]) =>
    paymentIntentId === null ? [] : [{ ...use, useId, paymentIntentId }],
  );
  const own = started.filter((use) => use.userId === userId);
  const others = Object.fromEntries(Object.entries(state.open).filter(([, use]) => use.userId !== userId));
  if (usesLeft({ ...state, open: others }, promotionCodeId, limits, at).free > 0) return own;
  const ofOtherCode = (use: Pick<OpenUse, 'promotionCodeId'>): number =>
    use.promotionCodeId === promotionCodeId ? 0 : 1;
  const [forgotten] = started
    .filter((use) => use.userId !== userId && use.expiresAt <= at)
    .sort((one, other) => ascending(ofOtherCode(one), ofOtherCode(other)) || ascending(one.expiresAt, other.expiresAt));
  return forgotten ? [...own, forgotten] : own;
}

/** @throws DomainError DISCOUNT_INVALID: no use is left */
function reserve(command: Command<'ReserveCodeUse'>, state: CodeState): readonly CodeEvent[] {
  const { codeId, useId, promotionCodeId, code, userId, limits, expiresAt, at } = command;
  if (Object.hasOwn(state.open, useId) || isSettled(state, useId)) return [];
  const ended = Object.entries(state.open).flatMap(([other, use]): CodeEvent[] => {
    if (use.paymentIntentId !== null) return [];
    const reason = use.expiresAt <= at ? 'expired' : use.userId === userId ? 'replaced' : null;
    return reason === null ? [] : [released({ codeId, at }, other, reason)];
  });
  if (usesLeft(ended.reduce(evolve, state), promotionCodeId, limits, at).free < 1)
    throw new DomainError('DISCOUNT_INVALID', 'This code has no uses left.');
  const data = { codeId, useId, promotionCodeId, code, userId, expiresAt, reservedAt: at };
  return [...ended, { type: 'CodeUseReserved', data }];
}

/**
 * @throws DomainError DISCOUNT_INVALID: another checkout of the user has replaced it meanwhile, whose payment could be
 * made as well
 */
function start(
  { codeId, useId, paymentIntentId, at }: Command<'StartCodeUse'>,
  state: CodeState,
): readonly CodeEvent[] {
  const use = state.open[useId];
  if (use?.paymentIntentId === paymentIntentId || isSettled(state, useId)) return [];
  if (!use) throw new DomainError('DISCOUNT_INVALID', 'This code is used in another checkout of yours.');
  return [{ type: 'CodeUseStarted', data: { codeId, useId, paymentIntentId, startedAt: at } }];
}

const released = (
  { codeId, at }: { readonly codeId: string; readonly at: string },
  useId: string,
  reason: CodeReleaseReason,
): CodeEvent => ({ type: 'CodeUseReleased', data: { codeId, useId, reason, releasedAt: at } });

function settle({ type: _, at, ...use }: Command<'SettleCodeUse'>, state: CodeState): readonly CodeEvent[] {
  if (isSettled(state, use.useId)) return [];
  const late = Object.hasOwn(state.open, use.useId) ? {} : { afterRelease: true as const };
  return [{ type: 'CodeUsed', data: { ...use, ...late, usedAt: at } }];
}
