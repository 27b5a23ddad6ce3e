/**
 * From what an admin pastes to the streams that tell of it: an id of whatever thing, an email, an address of the product, an id of the payment provider's.
 * Streams are asked for by their names, and read models by their indexes: the log is never gone through.
 */
import { billingStream } from '../domain/billing/billing.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import { getAccount, listAccountsByEmail } from '../projections/accounts.ts';
import { billOfProviderId } from '../projections/billingHistory.ts';
import { getJob } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { kindOf, STREAM_KINDS } from './streams.ts';

export type FoundStream = {
  readonly stream: string;
  /** In plain words: 'Job'. */
  readonly kind: string;
  /** Nothing of it is left. */
  readonly deleted: boolean;
  /** Whose, or of what; null where its name says all. */
  readonly about: string | null;
};

export type FindDeps = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  /** The stream of the claim of an address. */
  readonly emailStreamOf: (email: string) => string;
  /** The job that the token of a shared link names; null: it is none. */
  readonly jobIdOfToken: (token: string) => string | null;
};

/** Users whose email begins so. */
const MOST_USERS = 5;
/** Things in one address. */
const MOST_IDS = 4;
const ID = /^[A-Za-z0-9][\w.~-]{1,120}$/;
/** Of the payment provider: `pi_…`, `in_…`, `sub_…`, `evt_…`. */
const PROVIDER_ID = /^[a-z]{2,12}_[A-Za-z0-9_]+$/;

/** The most telling first; none when nothing of that kind is known. */
export async function findStreams(deps: FindDeps, text: string): Promise<readonly FoundStream[]> {
  const words = text.trim();
  if (words.includes('@')) return byEmail(deps, words);
  const found: FoundStream[] = [];
  for (const id of idsIn(deps, words)) found.push(...(await byId(deps, id)));
  return [...new Map(found.map((each) => [each.stream, each])).values()];
}

/** Of an address the parts of its path and its query that may be ids, the last ones first: they say most. */
function idsIn({ jobIdOfToken }: FindDeps, words: string): readonly string[] {
  const parts = /^(?:https?:\/)?\//.test(words) ? words.split(/[/?&#=]/).filter((part) => /\d/.test(part) && !part.includes(':') && part.length >= 8) : [words];
  const ids = parts.map((part) => jobIdOfToken(part) ?? part).filter((part) => ID.test(part));
  return [...new Set(ids.toReversed())].slice(0, MOST_IDS);
}

async function byEmail(deps: FindDeps, email: string): Promise<readonly FoundStream[]> {
  const beginning = email.toLowerCase();
  const accounts = await listAccountsByEmail(deps.readModels, { beginning, limit: MOST_USERS });
  const [only] = accounts;
  if (accounts.length === 1 && only) return [...(await byId(deps, only.userId)), ...(await existing(deps.store, [deps.emailStreamOf(only.email)], only.email))];
  const claim = await existing(deps.store, [deps.emailStreamOf(email)], email);
  const streams = await Promise.all(accounts.map((account) => existing(deps.store, [`account-${account.userId}`], account.email)));
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
    return [...bill, ...(await existing(store, [`stripe-${id}`], null))];
  }
  const [account, job] = await Promise.all([getAccount(readModels, id), getJob(readModels, id)]);
  const about = account?.data.email ?? job?.data.host ?? null;
  const named = await existing(
    store,
    STREAM_KINDS.filter(({ prefix }) => prefix.endsWith('-')).map(({ prefix }) => prefix + id),
    about,
  );
  const bill = job ? await existing(store, [billingStream(job.data.userId)], 'Pays for it') : [];
  return [...named, ...bill];
}

/** Those of the streams that are there, or were. */
async function existing(store: EventStore, streams: readonly string[], about: string | null): Promise<readonly FoundStream[]> {
  const reads = await Promise.all(
    streams.map(async (stream) => {
      const { status } = await store.read(stream, { limit: 1 });
      return status === 'missing' ? [] : [{ stream, kind: kindOf(stream)?.kind.name ?? stream, deleted: status === 'deleted', about }];
    }),
  );
  return reads.flat();
}
