/** Account activity as shown to the owner: built field by field from the events, without secrets. */

import type { MailChoice } from '../../domain/account/events.ts';
import type { LookedAt } from '../../domain/adminLook/events.ts';
import { scopeOf } from '../../domain/apiKeys/apiKeys.ts';
import type { DataOf } from '../../domain/stored/eventOf.ts';
import type { Actor } from '../../domain/stored/metadata.ts';
import type { Recorded } from '../../eventStore/eventStore.ts';
import { type ActivityNames, SITES_NAMED } from '../../history/activity.ts';
import { eventWords } from '../../model/history/eventWords.ts';
import { moneyText } from '../../model/money.ts';
import type { ApiKeyScope } from '../../model/programs.ts';
import type { ActivityEvent } from '../../projections/history/activity.ts';
import type { ActivityView } from '../contract/security.ts';
import { presentTransaction } from './billingHistory.ts';

type Words = { readonly title?: string; readonly detail?: string | null };
type BillEvent = Extract<Parameters<typeof presentTransaction>[0], { readonly type: ActivityEvent['type'] }>;
type OfBill = Extract<Recorded<ActivityEvent>, { readonly type: BillEvent['type'] }>;

export function presentActivity(event: Recorded<ActivityEvent>, userId: string, names: ActivityNames): ActivityView {
  const { type, metadata } = event;
  const { title = eventWords(type), detail = null } = wordsOf(event, names);
  return { type, at: metadata.at, title, detail, by: byOf(metadata.actor, userId) };
}

function byOf({ kind, id }: Actor, userId: string): ActivityView['by'] {
  switch (kind) {
    case 'user':
      return id === userId ? 'you' : null;
    case 'apiKey':
      return 'api_key';
    case 'admin':
      return id === userId ? 'you' : 'admin';
    case 'system':
      return id === 'operator' ? 'operator' : null;
    default:
      return null;
  }
}

function wordsOf(event: Recorded<ActivityEvent>, { hosts, keys, webhooks }: ActivityNames): Words {
  switch (event.type) {
    case 'SessionStarted': {
      const { client } = event.data;
      return { detail: client ? `${client.agent}, ${client.network}` : null };
    }
    case 'SessionEnded':
      return ENDED[event.data.reason];
    case 'AccountSessionsEnded':
      return { title: event.data.keptSessionId === null ? 'All sessions ended' : 'All other sessions ended' };
    case 'AccountEmailChanged':
      return { detail: `From ${event.data.formerEmail} to ${event.data.email}` };
    case 'AccountEmailConfirmed':
    case 'AccountEmailLost':
      return { detail: event.data.email };
    case 'AccountMailChoiceSet':
      return { detail: `${MAILS[event.data.mail]}: ${event.data.wanted ? 'on' : 'off'}` };
    case 'ApiKeyCreated':
      return { detail: `${event.data.name}, ${SCOPES[scopeOf(event.data)]}` };
    case 'EventsExported': {
      const { keyId } = event.data;
      return { detail: keyId === null ? null : (keys.get(keyId) ?? null) };
    }
    case 'ApiKeyRevoked':
      return { detail: keys.get(event.data.keyId) ?? null };
    case 'WebhookAdded':
    case 'WebhookEnabled':
    case 'WebhookRemoved':
      return { detail: webhooks.get(event.data.endpointId) ?? null };
    case 'WebhookDisabled': {
      const why = event.data.reason === 'failing' ? ['Its messages could not be delivered'] : [];
      const host = webhooks.get(event.data.endpointId);
      return { detail: [...(host === undefined ? [] : [host]), ...why].join(': ') || null };
    }
    case 'ShareCreated':
    case 'ShareRevoked':
    case 'JobSubmitted':
    case 'JobCancelled':
    case 'JobDeleted':
      return { ...OF_JOB[event.type], detail: hosts.get(event.data.jobId) ?? null };
    case 'JobsDeleted': {
      const { jobIds } = event.data;
      return {
        title: jobIds.length === 1 ? 'Audit deleted' : `${jobIds.length} audits deleted`,
        detail: sitesOf(jobIds, hosts),
      };
    }
    case 'AdminLooked':
      return viewWords(event.data, hosts);
    default:
      return isOfBill(event) ? billWords(event) : {};
  }
}

/** The first few that are known, and how many more there are. */
function sitesOf(jobIds: readonly string[], hosts: ReadonlyMap<string, string>): string | null {
  const known = jobIds.slice(0, SITES_NAMED).flatMap((id) => hosts.get(id) ?? []);
  if (known.length === 0) return null;
  return known.length < jobIds.length
    ? `${known.join(', ')} and ${jobIds.length - known.length} more`
    : known.join(', ');
}

const ENDED: Readonly<Record<DataOf<'SessionEnded'>['reason'], Words>> = {
  logout: { title: 'Logged out' },
  revoked: { title: 'Session ended' },
  password_changed: { title: 'Session ended', detail: 'The password was changed' },
  refresh_reused: { title: 'Session ended', detail: 'Its token was used a second time: someone else may have had it' },
  account_deleted: { title: 'Session ended' },
};

const SCOPES: Readonly<Record<ApiKeyScope, string>> = {
  read: 'reads only',
  write: 'reads and writes',
  'reports:read': 'reports only',
  'events:read': 'reports and anonymized events',
};

const MAILS: Readonly<Record<MailChoice, string>> = {
  job_done: 'Emails about finished audits',
  subscription_ends: 'Emails before a plan ends',
  sequence: 'Tips and news',
};

/** Called audits, the users' word for jobs. */
const OF_JOB: Readonly<Partial<Record<ActivityEvent['type'], Words>>> = {
  JobSubmitted: { title: 'Audit started' },
  JobCancelled: { title: 'Audit canceled' },
  JobDeleted: { title: 'Audit deleted' },
};

const LOOKED: Readonly<Record<LookedAt, string>> = {
  account: 'Your account',
  bill: 'Your bill',
  job: 'An audit',
  report: 'A report',
};

function viewWords({ thing, thingId }: DataOf<'AdminLooked'>, hosts: ReadonlyMap<string, string>): Words {
  const host = hosts.get(thingId);
  return { detail: host === undefined ? LOOKED[thing] : `${LOOKED[thing]} of ${host}` };
}

const isOfBill = (event: Recorded<ActivityEvent>): event is OfBill =>
  'balance' in event.data ||
  'asOf' in event.data ||
  event.type === 'UnlockPaid' ||
  event.type === 'SubscriptionSuspended' ||
  event.type === 'SubscriptionResumed';

/** Worded as in the billing history, with the amount. */
function billWords(event: OfBill): Words {
  const { userId } = event.data;
  const { id: eventId, position: order, type, data } = event;
  const row = { kind: 'change', userId, eventId, order, at: event.metadata.at, type, data } as BillEvent;
  const { description, amount, currency } = presentTransaction(row);
  const sum = currency === null || amount === 0 ? [] : [moneyText({ amount: Math.abs(amount), currency })];
  return { detail: [...(description === null ? [] : [description]), ...sum].join(', ') };
}
