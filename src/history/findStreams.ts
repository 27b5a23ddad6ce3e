/**
 * Finds the streams related to what an admin pastes: any id, an email address, a product URL or a payment provider id.
 * Streams are looked up by name and read models by index; the log is never scanned.
 */
import { billingStream } from '../domain/billing/events.ts';
import { jobStream } from '../domain/job/events.ts';
import { isOf } from '../domain/stored/eventOf.ts';
import { tallyStreamsOf } from '../domain/tally/events.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import { beginningOfEmail } from '../model/emailAddress.ts';
import { PROMPT_KEYS } from '../model/prompts/prompt.ts';
import { getAccount, listAccountsByEmail } from '../projections/accounts.ts';
import { billOfProviderId, billsSaying } from '../projections/billing.ts';
import { getCause, listFollowing } from '../projections/history/causes.ts';
import { getJob } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { kindOf, STREAM_KINDS } from './streams.ts';

export type FoundStream = {
  readonly stream: string;
  /** Display name: 'Job'. */
  readonly kind: string;
  /** Nothing of the stream is left. */
  readonly deleted: boolean;
  /** Its owner or subject; null if the name says it all. */
  readonly about: string | null;
};

export type FindDeps = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  /** UTC ISO. */
  readonly now: () => string;
  /** The stream of the claim to an email address. */
  readonly emailStreamOf: (email: string) => string;
  /** The job that a shared link's token names, or null if the token is invalid. */
  readonly jobIdOfToken: (token: string) => string | null;
};

/** Maximum number of users whose email starts with the text. */
const MOST_USERS = 5;
/** Maximum number of bills found by a promotion code. */
const MOST_BILLS = 20;
/** Maximum number of ids taken from one URL. */
const MOST_IDS = 4;
/** Maximum number of a request's events that are looked at. */
const MOST_WRITTEN = 20;
const ID = /^[A-Za-z0-9][\w.~-]{1,120}$/;
/** Payment provider ids: `pi_…`, `in_…`, `sub_…`, `evt_…`. */
const PROVIDER_ID = /^[a-z]{2,12}_[A-Za-z0-9_]+$/;

/** Most relevant first; empty if nothing matches. */
export async function findStreams(deps: FindDeps, text: string): Promise<readonly FoundStream[]> {
  const words = text.trim();
  if (words.includes('@')) return byEmail(deps, words);
  const found: FoundStream[] = [];
  for (const id of idsIn(deps, words)) found.push(...(await byId(deps, id)));
  return [...new Map(found.map((each) => [each.stream, each])).values()];
}

/** For a URL, the path and query parts that may be ids, last first, as those are the most specific. */
function idsIn({ jobIdOfToken }: FindDeps, words: string): readonly string[] {
  const parts = /^(?:https?:\/)?\//.test(words) ? words.split(/[/?&#=]/).filter(isIdInUrl) : [words];
  const ids = parts.map((part) => jobIdOfToken(part) ?? part).filter((part) => ID.test(part));
  return [...new Set(ids.toReversed())].slice(0, MOST_IDS);
}

const isIdInUrl = (part: string): boolean =>
  PROMPT_KEYS.some((key) => key === part) || (/\d/.test(part) && !part.includes(':') && part.length >= 8);

async function byEmail(deps: FindDeps, email: string): Promise<readonly FoundStream[]> {
  const beginning = beginningOfEmail(email);
  const accounts = await listAccountsByEmail(deps.readModels, { beginning, limit: MOST_USERS });
  const [only] = accounts;
  if (accounts.length === 1 && only)
    return [
      ...(await byId(deps, only.id)),
      ...(await existing(deps.store, [deps.emailStreamOf(only.email)], only.email)),
    ];
  const claim = await existing(deps.store, [deps.emailStreamOf(email)], email);
  const streams = await Promise.all(
    accounts.map((account) => existing(deps.store, [`account-${account.id}`], account.email)),
  );
  return [...streams.flat(), ...claim];
}

async function byId(deps: FindDeps, id: string): Promise<readonly FoundStream[]> {
  const { store, readModels } = deps;
  if (kindOf(id)) {
    const itself = await existing(store, [id], null);
    if (itself.length > 0) return itself;
  }
  if (PROVIDER_ID.test(id)) {
    const userId = await billOfProviderId(readModels, id);
    const bill = userId === null ? [] : await existing(store, [billingStream(userId)], `Says ${id}`);
    const found = [...bill, ...(await existing(store, [`stripe-${id}`], null))];
    // The keys of prompts look alike.
    if (found.length > 0) return found;
  }
  const [account, job] = await Promise.all([getAccount(readModels, id), getJob(readModels, id)]);
  const about = account?.data.email ?? job?.data.host ?? null;
  const named = await existing(
    store,
    [
      ...STREAM_KINDS.filter(({ prefix }) => prefix.endsWith('-')).map(({ prefix }) => prefix + id),
      ...(account ? tallyStreamsOf(id, deps.now()) : []),
    ],
    about,
  );
  // The list of jobs has no deleted ones, but their streams still say whose they were.
  const payer = job?.data.userId ?? (await submitterInLog(store, id));
  const bill = payer === null ? [] : await existing(store, [billingStream(payer)], 'Pays for it');
  const found = [...named, ...bill];
  if (found.length > 0) return found;
  const said = await byBill(deps, id);
  return said.length > 0 ? said : byEventOrRequest(deps, id);
}

/** Who submitted a job, also a deleted one. Null if there is no such job, or nothing of it is left. */
export async function submitterInLog(store: Pick<EventStore, 'read'>, jobId: string): Promise<string | null> {
  const read = await store.read(jobStream(jobId), { limit: 1 });
  const first = read.status === 'found' ? read.events[0] : undefined;
  return first && isOf(first, 'JobSubmitted') ? first.data.userId : null;
}

/** Of an invoice number or a promotion code, the bills that have it. */
async function byBill({ store, readModels }: FindDeps, text: string): Promise<readonly FoundStream[]> {
  const bills = await billsSaying(readModels, text, MOST_BILLS);
  return (await Promise.all(bills.map(({ userId, says }) => existing(store, [billingStream(userId)], says)))).flat();
}

/** Of an event, its stream; of a request, the streams that it wrote first. */
async function byEventOrRequest({ store, readModels }: FindDeps, id: string): Promise<readonly FoundStream[]> {
  const event = await getCause(readModels, id);
  if (event) return existing(store, [event.data.stream], 'Has this event');
  const { documents } = await listFollowing(readModels, [id], { limit: MOST_WRITTEN });
  return existing(store, [...new Set(documents.map(({ data }) => data.stream))], 'Written by this request');
}

/** The streams that exist or once existed. */
async function existing(
  store: EventStore,
  streams: readonly string[],
  about: string | null,
): Promise<readonly FoundStream[]> {
  const reads = await Promise.all(
    streams.map(async (stream) => {
      const { status } = await store.read(stream, { limit: 1 });
      return status === 'missing'
        ? []
        : [{ stream, kind: kindOf(stream)?.kind.name ?? stream, deleted: status === 'deleted', about }];
    }),
  );
  return reads.flat();
}
