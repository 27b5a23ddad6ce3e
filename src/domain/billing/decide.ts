/** What an analysis is paid from. Everything is one stream, so that nothing can be spent twice. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { JobAccess } from '../job/events.ts';
import { analysisOf, type BillingState, cancelledOn, carriedOver, evolve, initialState, openAnalysisOf, periodOf, usedOf } from './billing.ts';
import type { BillingEvent, PaidFrom } from './events.ts';

type ReleaseReason = Extract<BillingEvent, { readonly type: 'AnalysisReleased' }>['data']['reason'];

/** `at` is the time of the command, UTC ISO. */
export type BillingCommand =
  | {
      readonly type: 'ReserveAnalyses';
      readonly userId: string;
      /** All of them or none. */
      readonly jobIds: readonly string[];
      /** What these reservations have in common. */
      readonly batchId: string;
      /** Free analyses a calendar month. */
      readonly allowance: number;
      readonly isAdmin: boolean;
      readonly at: string;
    }
  | { readonly type: 'CarryAllowanceOver'; readonly userId: string; readonly period: string; readonly used: number; readonly at: string }
  | { readonly type: 'ConsumeAnalysis'; readonly userId: string; readonly jobId: string; readonly at: string }
  | {
      readonly type: 'ReleaseAnalysis';
      readonly userId: string;
      readonly jobId: string;
      readonly reason: ReleaseReason;
      readonly begun?: boolean;
      readonly at: string;
    };

type Command<Type extends BillingCommand['type']> = Extract<BillingCommand, { readonly type: Type }>;

function decide(command: BillingCommand, state: BillingState): readonly BillingEvent[] {
  switch (command.type) {
    case 'ReserveAnalyses':
      return reserve(command, state);
    case 'CarryAllowanceOver':
      return carryOver(command, state);
    case 'ConsumeAnalysis':
      return consume(command, state);
    case 'ReleaseAnalysis':
      return release(command, state);
    default:
      return unreachable(command);
  }
}

/** A shorter bill is read in one go. */
const KEPT_FROM = 200;

export const billingDecider: Decider<BillingState, BillingCommand, BillingEvent> = { initialState, evolve, decide, keptFrom: KEPT_FROM };

type Source = { readonly from: PaidFrom; readonly access: JobAccess; readonly left: (command: Command<'ReserveAnalyses'>, state: BillingState) => number };

/** In the order in which they are drawn on. A subscription, credits and funds go before the free allowance. */
const SOURCES: readonly Source[] = [
  { from: 'admin', access: 'full', left: (command) => (command.isAdmin ? Number.POSITIVE_INFINITY : 0) },
  {
    from: 'free_allowance',
    access: 'preview',
    left: (command, state) => Math.max(0, command.allowance - usedOf(state, periodOf(command.at), 'free_allowance')),
  },
];

function reserve(command: Command<'ReserveAnalyses'>, state: BillingState): readonly BillingEvent[] {
  const { userId, batchId, at } = command;
  // A job that ever had a reservation gets no second one: a repeated submission is not paid for twice.
  const jobIds = [...new Set(command.jobIds)].filter((jobId) => analysisOf(state, jobId) === null);
  const purse = SOURCES.map((source) => ({ source, left: source.left(command, state) }));
  const available = purse.reduce((sum, { left }) => sum + left, 0);
  if (available < jobIds.length) {
    throw new DomainError('INSUFFICIENT_CREDITS', 'Insufficient credits', { credits_required: jobIds.length, credits_available: available });
  }
  return jobIds.flatMap((jobId) => {
    const paying = purse.find(({ left }) => left > 0);
    if (!paying) return [];
    paying.left -= 1;
    const { from, access } = paying.source;
    return [{ type: 'AnalysisReserved' as const, data: { userId, jobId, batchId, from, period: periodOf(at), access, reservedAt: at } }];
  });
}

/** Once a month: a repeat carries nothing over. */
function carryOver({ userId, period, used, at }: Command<'CarryAllowanceOver'>, state: BillingState): readonly BillingEvent[] {
  return used > 0 && carriedOver(state, period) === 0 ? [{ type: 'AllowanceCarriedOver', data: { userId, period, used, carriedAt: at } }] : [];
}

/** What is not reserved, or has ended already, stays as it is. */
function consume({ userId, jobId, at }: Command<'ConsumeAnalysis'>, state: BillingState): readonly BillingEvent[] {
  return openAnalysisOf(state, jobId) ? [{ type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at } }] : [];
}

/** Of one user on one day: whoever begins and cancels without end has sites fetched for nothing. */
export const CANCELLED_A_DAY = 10;

/** A job that was begun and cancelled is given back so often a day; beyond that it counts. */
function release({ userId, jobId, reason, begun, at }: Command<'ReleaseAnalysis'>, state: BillingState): readonly BillingEvent[] {
  const analysis = openAnalysisOf(state, jobId);
  if (!analysis) return [];
  const { from, period } = analysis;
  const isCounted = reason === 'job_cancelled' && begun === true;
  if (isCounted && cancelledOn(state, at.slice(0, 10)) >= CANCELLED_A_DAY) return [{ type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at } }];
  return [{ type: 'AnalysisReleased', data: { userId, jobId, reason, from, period, ...(isCounted ? { begun: true } : {}), releasedAt: at } }];
}
