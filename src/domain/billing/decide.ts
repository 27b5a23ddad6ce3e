/** What an analysis is paid from, and what comes of it. Everything is one stream, so that nothing can be spent twice. */

import type { Money } from '../../model/purchase.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { analysisOf, cancelledOn, carriedOver, evolve, initialState, openAnalysisOf, periodOf, unlockOf } from './billing.ts';
import { type CustomerCommand, linkCustomer } from './customer.ts';
import { decideMoney, type MoneyCommand } from './decideMoney.ts';
import { decideSubscription, type SubscriptionCommand } from './decideSubscription.ts';
import type { BillingEvent, BillingEventData, Taken } from './events.ts';
import { type BillingState, lookUp } from './ledger.ts';
import { type Source, sourcesOf, type Terms } from './sources.ts';

type ReleaseReason = BillingEventData<'AnalysisReleased'>['reason'];

/** `at` is the time of the command, UTC ISO. */
export type BillingCommand = AnalysisCommand | MoneyCommand | SubscriptionCommand | CustomerCommand;

type AnalysisCommand =
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
      /** Of one report; without it funds pay for nothing. */
      readonly price?: Money;
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
    }
  /** A preview is to be shown in full. */
  | {
      readonly type: 'PayUnlock';
      readonly userId: string;
      readonly jobId: string;
      readonly isAdmin: boolean;
      readonly price?: Money;
      readonly at: string;
    }
  /** Its job is gone. */
  | { readonly type: 'ReturnUnlock'; readonly userId: string; readonly jobId: string; readonly at: string };

type Command<Type extends AnalysisCommand['type']> = Extract<AnalysisCommand, { readonly type: Type }>;

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
    case 'PayUnlock':
      return payUnlock(command, state);
    case 'ReturnUnlock':
      return returnUnlock(command, state);
    case 'AddFunds':
    case 'GrantCredits':
    case 'RecordRefund':
    case 'RecordDispute':
      return decideMoney(command, state);
    case 'RecordSubscription':
    case 'RecordInvoice':
    case 'RecordSync':
      return decideSubscription(command, state);
    case 'LinkCustomer':
      return linkCustomer(command, state);
    default:
      return unreachable(command);
  }
}

/** A shorter bill is read in one go. */
const KEPT_FROM = 200;

export const billingDecider: Decider<BillingState, BillingCommand, BillingEvent> = { initialState, evolve, decide, keptFrom: KEPT_FROM };

/** So many analyses at once, each from the first source that has one left. @throws DomainError INSUFFICIENT_CREDITS */
function draw(terms: Terms, state: BillingState, wanted: number, access?: 'full'): readonly { readonly source: Source; readonly taken: Taken }[] {
  const balances = sourcesOf(terms, state, access);
  const available = balances.reduce((sum, { left }) => sum + left, 0);
  if (available < wanted) {
    throw new DomainError('INSUFFICIENT_CREDITS', 'Insufficient credits', { credits_required: wanted, credits_available: available });
  }
  const period = periodOf(terms.at);
  const drawn: { source: Source; taken: Taken }[] = [];
  for (const { source, left } of balances) {
    for (let nth = 1; nth <= left && drawn.length < wanted; nth += 1) {
      drawn.push({ source, taken: { from: source.from, period, ...source.taken(terms, state, nth) } });
    }
  }
  return drawn;
}

function reserve(command: Command<'ReserveAnalyses'>, state: BillingState): readonly BillingEvent[] {
  const { userId, batchId, at, allowance, isAdmin } = command;
  // A job that ever had a reservation gets no second one: a repeated submission is not paid for twice.
  const jobIds = [...new Set(command.jobIds)].filter((jobId) => analysisOf(state, jobId) === null);
  const drawn = draw({ allowance, isAdmin, price: command.price ?? null, at }, state, jobIds.length);
  return jobIds.flatMap((jobId, index) => {
    const paying = drawn[index];
    if (!paying) return [];
    const { source, taken } = paying;
    return [{ type: 'AnalysisReserved' as const, data: { userId, jobId, batchId, ...taken, access: source.access, reservedAt: at } }];
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
  const taken = openAnalysisOf(state, jobId);
  if (!taken) return [];
  const isCounted = reason === 'job_cancelled' && begun === true;
  if (isCounted && cancelledOn(state, at.slice(0, 10)) >= CANCELLED_A_DAY) return [{ type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at } }];
  return [{ type: 'AnalysisReleased', data: { userId, jobId, reason, ...givenBack(taken, state), ...(isCounted ? { begun: true } : {}), releasedAt: at } }];
}

/** Paid once a job, however often it is asked for. What is free shows no more than a preview does. */
function payUnlock({ userId, jobId, isAdmin, price, at }: Command<'PayUnlock'>, state: BillingState): readonly BillingEvent[] {
  if (analysisOf(state, jobId)?.access === 'full') throw new DomainError('ALREADY_UNLOCKED', 'This audit is unlocked already.');
  if (lookUp(state, 'unlocks', jobId)) return [];
  const [paying] = draw({ allowance: 0, isAdmin, price: price ?? null, at }, state, 1, 'full');
  return paying ? [{ type: 'UnlockPaid', data: { userId, jobId, ...paying.taken, paidAt: at } }] : [];
}

function returnUnlock({ userId, jobId, at }: Command<'ReturnUnlock'>, state: BillingState): readonly BillingEvent[] {
  const taken = unlockOf(state, jobId);
  return taken ? [{ type: 'UnlockReturned', data: { userId, jobId, ...givenBack(taken, state), returnedAt: at } }] : [];
}

/** To the source and the period that it was taken from, and as much as it was: the price may have changed since. */
function givenBack(taken: Taken, { credits, funds }: BillingState): Taken {
  if (taken.from === 'credits') return { ...taken, balance: credits + 1 };
  return taken.from === 'funds' ? { ...taken, balance: funds.amount + (taken.amount ?? 0) } : taken;
}
