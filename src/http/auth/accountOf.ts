/** The account of a logged-in user. */

import { isOwn } from '../../commands/isOwn.ts';
import { accountStream } from '../../domain/account/events.ts';
import type { EventOf } from '../../domain/stored/eventOf.ts';
import type { Recorded, RecordedEvent } from '../../eventStore/eventStore.ts';
import { type AccountDocument, accounts, getAccount } from '../../projections/accounts.ts';
import type { HttpDeps } from '../deps/deps.ts';

type AccountsEvent = EventOf<(typeof accounts.handles)[number]>;
type Sources = Pick<HttpDeps, 'readModels' | 'store'>;

/**
 * From the read models or, while they do not have it yet, from its own stream: a user who just signed up gets in even
 * when the read models lag.
 */
export async function accountOf({ readModels, store }: Sources, userId: string): Promise<AccountDocument | null> {
  return (await getAccount(readModels, userId))?.data ?? (await accountInLog(store, userId));
}

/** A disabled account cannot be entered; its sessions have already been ended. */
export async function isDisabled(sources: Sources, userId: string): Promise<boolean> {
  return (await accountOf(sources, userId))?.sign_in_enabled === false;
}

async function accountInLog(store: Sources['store'], userId: string): Promise<AccountDocument | null> {
  const read = await store.read(accountStream(userId));
  if (read.status !== 'found') return null;
  return read.events
    .filter(isOwn<Recorded<AccountsEvent>, RecordedEvent>)
    .filter(({ type }) => accounts.handles.includes(type))
    .reduce<AccountDocument | null>((account, event) => accounts.evolve(account, event, userId), null);
}
