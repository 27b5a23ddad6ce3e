/** The account of a signed-in user. */
import { isOwn } from '../../commands/isOwn.ts';
import { accountStream } from '../../domain/account/account.ts';
import type { Recorded, RecordedEvent } from '../../eventStore/eventStore.ts';
import { type AccountDocument, type AccountsEvent, accounts, getAccount } from '../../projections/accounts.ts';
import type { HttpDeps } from '../deps.ts';

type Sources = Pick<HttpDeps, 'readModels' | 'store'>;

/** As the read models have it; while they do not know it yet, as its own stream says: who has just signed up is let in, however far behind they are. */
export async function accountOf({ readModels, store }: Sources, userId: string): Promise<AccountDocument | null> {
  return (await getAccount(readModels, userId))?.data ?? (await accountInLog(store, userId));
}

/** Nobody gets in: of sessions that says their end already. */
export async function isDisabled(sources: Sources, userId: string): Promise<boolean> {
  return (await accountOf(sources, userId))?.isDisabled ?? false;
}

async function accountInLog(store: Sources['store'], userId: string): Promise<AccountDocument | null> {
  const read = await store.read(accountStream(userId));
  if (read.status !== 'found') return null;
  return read.events
    .filter(isOwn<Recorded<AccountsEvent>, RecordedEvent>)
    .filter(({ type }) => accounts.handles.includes(type))
    .reduce<AccountDocument | null>((account, event) => accounts.evolve(account, event, userId), null);
}
