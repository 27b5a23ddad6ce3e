/** The past, for admins: moments, erased data, the steps of a job or bill, and differences between two moments. */
import type { RecordedEvent } from '../../../eventStore/eventStore.ts';
import type { Counted } from '../../../history/past/changes.ts';
import type { Moment } from '../../../history/past/moment.ts';
import type { AsOf } from '../../../history/past/past.ts';
import type { Step } from '../../../history/past/steps.ts';
import { eventWords } from '../../../model/history/eventWords.ts';
import { moneyText } from '../../../model/money.ts';
import { ascending } from '../../../model/order.ts';
import { nameOfTier } from '../../../model/tiers.ts';
import type { AccountDocument } from '../../../projections/accounts.ts';
import type { BillingDocument } from '../../../projections/billing.ts';
import type { StoredDocument } from '../../../readModels/readModels.ts';
import type { ChangesResponse, DifferenceView, ErasedView, MomentView, StepView } from '../../contract/admin/past.ts';
import { type Prices, presentSubscription } from '../billing.ts';
import { byOf, presentJobEvent } from './jobEvent.ts';

/** `requested`: the time that was asked for, if it was one. */
export type FoundMoment = Moment & { readonly requested: string | null };

export const presentMoment = ({ position, time, requested, next }: FoundMoment): MomentView => ({
  position,
  time,
  requested,
  now: next === null,
});

type Emails = ReadonlyMap<string, string>;

/** `emailOf`: emails of the admins among the actors. */
export function presentErased({ by }: Extract<AsOf, { readonly status: 'erased' }>, emailOf: Emails): ErasedView {
  return by ? { at: by.metadata.at, by: byOf(by.metadata.actor, emailOf) } : { at: null, by: null };
}

export function presentStep({ event, events }: Step, emailOf: Emails): StepView {
  const { position, metadata } = event;
  const title = event.stream.startsWith('job-') ? presentJobEvent(event, emailOf).title : eventWords(event.type);
  return {
    position,
    at: metadata.at,
    title: events === 1 ? title : `${title} (${events})`,
    by: byOf(metadata.actor, emailOf),
  };
}

/** Ids of the admins among the actors. */
export const adminsIn = (events: readonly RecordedEvent[]): readonly string[] => [
  ...new Set(events.flatMap(({ metadata: { actor } }) => (actor.kind === 'admin' ? [actor.id] : []))),
];

/** Most frequent first. */
export function presentCounted({
  counts,
  money,
  events,
}: Counted): Pick<ChangesResponse, 'events' | 'counts' | 'money'> {
  return {
    events,
    counts: [...counts]
      .map(([type, count]) => ({ type, title: eventWords(type), count }))
      .sort((a, b) => b.count - a.count || ascending(a.type, b.type)),
    money: money.map((moved) => ({ ...moved })).sort((a, b) => ascending(a.currency, b.currency)),
  };
}

/** Facts about a document, by name; empty if it does not exist. */
type Facts = Readonly<Record<string, string>>;

/** In the order of the names. */
export function differencesOf(before: Facts, after: Facts): DifferenceView[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((what) => before[what] !== after[what])
    .map((what) => ({ what, before: before[what] ?? null, after: after[what] ?? null }));
}

const yesOrNo = (yes: boolean): string => (yes ? 'Yes' : 'No');
const dayOf = (at: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));

const PROOFS: Readonly<Record<AccountDocument['emailProof'], string>> = {
  confirmed: 'Confirmed',
  unconfirmed: 'Not confirmed',
  lost: 'Lost',
};

export function factsOfAccount(account: AccountDocument | null): Facts {
  if (!account) return {};
  return {
    Account: 'There',
    Email: account.email,
    'Email address': PROOFS[account.emailProof],
    Name: account.name,
    Administers: yesOrNo(account.is_admin),
    'Can log in': yesOrNo(account.sign_in_enabled),
    'Two-factor authentication': yesOrNo(account.mfa_enabled),
    'Emails turned off':
      account.unwanted_mails.length === 0 ? 'None' : [...account.unwanted_mails].sort().join(', ').replaceAll('_', ' '),
  };
}

/** Read by the presenter of today's screens, as of that time. */
export function factsOfBill(document: StoredDocument<BillingDocument> | null, time: string, prices: Prices): Facts {
  const { subscription, balance } = presentSubscription(document, time, prices);
  const { currentPeriodEnd, cancelAtPeriodEnd, pendingTier } = subscription;
  return {
    Plan: nameOfTier(balance.plan),
    ...(subscription.status === 'inactive' ? {} : { Subscription: subscription.status.replaceAll('_', ' ') }),
    ...(currentPeriodEnd === null
      ? {}
      : { [cancelAtPeriodEnd ? 'Plan ends' : 'Plan renews']: dayOf(currentPeriodEnd) }),
    ...(pendingTier === null ? {} : { 'Plan changes to': nameOfTier(pendingTier) }),
    Credits: String(balance.credits),
    Funds: balance.currency === null ? 'None' : moneyText({ amount: balance.funds, currency: balance.currency }),
    'Audits with a result': String(document?.data.consumed ?? 0),
    'Audits taken from free allowances': String(sum(document?.data.periods)),
    'Audits taken from plans': String(sum(document?.data.planPeriods)),
  };
}

const sum = (counts: Readonly<Record<string, number>> = {}): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
