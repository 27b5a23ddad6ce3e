/** How audits are paid for and settled. Everything is in one stream, so that nothing can be spent twice. */

import type { Money } from '../../model/purchase.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { emailNotConfirmed } from '../policy/emailProof.ts';
import {
  analysisOf,
  cancelledOn,
  carriedOver,
  evolve,
  initialState,
  openAnalysisOf,
  periodOf,
  unjudgedOn,
  unlockOf,
} from './billing.ts';
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
      /** All or nothing. */
      readonly jobIds: readonly string[];
      /** Shared by these reservations. */
      readonly batchId: string;
      /** Free audits per calendar month. */
      readonly allowance: number;
      readonly isAdmin: boolean;
      /** The account must prove its email address before it gets more free audits than its first. */
      readonly onlyFirstFree?: boolean;
      /** Price of one report; if absent, funds pay for nothing. */
      readonly price?: Money;
      readonly at: string;
    }
  | {
      readonly type: 'CarryAllowanceOver';
      readonly userId: string;
      readonly period: string;
      readonly used: number;
      readonly at: string;
    }
  | { readonly type: 'ConsumeAnalysis'; readonly userId: string; readonly jobId: string; readonly at: string }
  | {
      readonly type: 'ReleaseAnalysis';
      readonly userId: string;
      readonly jobId: string;
      readonly reason: ReleaseReason;
      readonly begun?: boolean;
      /** A mark of the audit's site; for the reasons `shut_site` and `not_judged`. */
      readonly siteMark?: number;
      readonly at: string;
    }
  /** A preview is to be unlocked. */
  | {
      readonly type: 'PayUnlock';
      readonly userId: string;
      readonly jobId: string;
      readonly isAdmin: boolean;
      readonly price?: Money;
      readonly at: string;
    }
  /** The job was deleted. */
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
    case 'RecordLostSubscription':
    case 'ResumeSubscription':
    case 'RecordSync':
      return decideSubscription(command, state);
    case 'LinkCustomer':
      return linkCustomer(command, state);
    default:
      return unreachable(command);
  }
}

/** Shorter bills are read in a single request. */
const KEPT_FROM = 200;

export const billingDecider: Decider<BillingState, BillingCommand, BillingEvent> = {
  initialState,
  evolve,
  decide,
  keptFrom: KEPT_FROM,
};

/**
 * Takes `wanted` audits, each from the first source with any left.
 * @throws DomainError INSUFFICIENT_CREDITS, EMAIL_NOT_CONFIRMED
 */
function draw(
  terms: Terms,
  state: BillingState,
  wanted: number,
  access?: 'full',
): readonly { readonly source: Source; readonly taken: Taken }[] {
  const balances = sourcesOf(terms, state, access);
  if (sumOf(balances) < wanted) {
    const available = sumOf(sourcesOf({ ...terms, onlyFirstFree: false }, state, access));
    // Only the proof is missing.
    if (available >= wanted) throw emailNotConfirmed('use more than your first free audit');
    throw new DomainError('INSUFFICIENT_CREDITS', 'Insufficient credits', {
      credits_required: wanted,
      credits_available: available,
    });
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

const sumOf = (balances: ReturnType<typeof sourcesOf>): number => balances.reduce((sum, { left }) => sum + left, 0);

function reserve(command: Command<'ReserveAnalyses'>, state: BillingState): readonly BillingEvent[] {
  const { userId, batchId, at, allowance, isAdmin, onlyFirstFree = false } = command;
  // A job is reserved only once, so a repeated submission is not charged twice.
  const jobIds = [...new Set(command.jobIds)].filter((jobId) => analysisOf(state, jobId) === null);
  const drawn = draw({ allowance, isAdmin, onlyFirstFree, price: command.price ?? null, at }, state, jobIds.length);
  return jobIds.flatMap((jobId, index) => {
    const paying = drawn[index];
    if (!paying) return [];
    const { source, taken } = paying;
    return [
      {
        type: 'AnalysisReserved' as const,
        data: { userId, jobId, batchId, ...taken, access: source.access, reservedAt: at },
      },
    ];
  });
}

/** Once per month: a repeat carries nothing over. */
function carryOver(
  { userId, period, used, at }: Command<'CarryAllowanceOver'>,
  state: BillingState,
): readonly BillingEvent[] {
  return used > 0 && carriedOver(state, period) === 0
    ? [{ type: 'AllowanceCarriedOver', data: { userId, period, used, carriedAt: at } }]
    : [];
}

/** No effect if the job is not reserved or its reservation has ended. */
function consume({ userId, jobId, at }: Command<'ConsumeAnalysis'>, state: BillingState): readonly BillingEvent[] {
  return openAnalysisOf(state, jobId) ? [{ type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at } }] : [];
}

/**
 * Daily limit per user on free cancellations of started audits; otherwise starting and cancelling repeatedly would
 * fetch sites for free.
 */
export const CANCELLED_A_DAY = 10;

/**
 * Daily limit per user and site on audits that are given back although they were completed, because the site is shut to
 * crawlers or could not be judged.
 */
export const UNJUDGED_A_DAY = 3;

/**
 * Started jobs that are cancelled are given back up to `CANCELLED_A_DAY` times per day, completed ones that could judge
 * nothing up to `UNJUDGED_A_DAY` times per day and site; beyond that they count as used.
 */
function release(
  { userId, jobId, reason, begun, siteMark, at }: Command<'ReleaseAnalysis'>,
  state: BillingState,
): readonly BillingEvent[] {
  const taken = openAnalysisOf(state, jobId);
  if (!taken) return [];
  const isCounted = reason === 'job_cancelled' && begun === true;
  const day = at.slice(0, 10);
  const isOver =
    (isCounted && cancelledOn(state, day) >= CANCELLED_A_DAY) ||
    (siteMark !== undefined && unjudgedOn(state, day, siteMark) >= UNJUDGED_A_DAY);
  if (isOver) return [{ type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at } }];
  return [
    {
      type: 'AnalysisReleased',
      data: {
        userId,
        jobId,
        reason,
        ...givenBack(taken, state),
        ...(isCounted ? { begun: true } : {}),
        ...(siteMark === undefined ? {} : { siteMark }),
        releasedAt: at,
      },
    },
  ];
}

/**
 * Charged once per job, however often requested. The free allowance cannot pay for it, since it covers previews only.
 */
function payUnlock(
  { userId, jobId, isAdmin, price, at }: Command<'PayUnlock'>,
  state: BillingState,
): readonly BillingEvent[] {
  if (analysisOf(state, jobId)?.access === 'full')
    throw new DomainError('ALREADY_UNLOCKED', 'This audit is unlocked already.');
  if (lookUp(state, 'unlocks', jobId)) return [];
  const [paying] = draw({ allowance: 0, isAdmin, price: price ?? null, at }, state, 1, 'full');
  return paying ? [{ type: 'UnlockPaid', data: { userId, jobId, ...paying.taken, paidAt: at } }] : [];
}

function returnUnlock({ userId, jobId, at }: Command<'ReturnUnlock'>, state: BillingState): readonly BillingEvent[] {
  const taken = unlockOf(state, jobId);
  return taken ? [{ type: 'UnlockReturned', data: { userId, jobId, ...givenBack(taken, state), returnedAt: at } }] : [];
}

/** Returns it to the original source and period, at the original amount: the price may have changed since. */
function givenBack(taken: Taken, { credits, funds }: BillingState): Taken {
  if (taken.from === 'credits') return { ...taken, balance: credits + 1 };
  return taken.from === 'funds' ? { ...taken, balance: funds.amount + (taken.amount ?? 0) } : taken;
}
