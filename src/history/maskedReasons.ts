/**
 * Reasons that admins gave for credits are in the bills of earlier versions, and bills outlive their accounts. Whoever
 * reads events through this store sees such a reason only while the account is there. The log itself is not changed, so
 * what copies or verifies it reads it as it is.
 */
import { accountStream } from '../domain/account/events.ts';
import { REDACTED } from '../domain/stored/redaction.ts';
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';

type Reading = Pick<EventStore, 'read' | 'readAll' | 'scan'>;
type Read = Pick<RecordedEvent, 'type' | 'data'>;

const stores = new WeakMap<object, object>();

/** The same for the same store, since states are kept by store. */
export function withMaskedReasons<Store extends Reading>(store: Store): Store {
  const known = stores.get(store);
  if (known) return known as Store;
  const { scan } = store;
  const masking: Reading = {
    read: async (...asked) => {
      const read = await store.read(...asked);
      return read.status === 'found' ? { ...read, events: await masked(store, read.events) } : read;
    },
    readAll: async (...asked) => {
      const page = await store.readAll(...asked);
      return { ...page, events: await masked(store, page.events) };
    },
    ...(scan
      ? {
          scan: async (...asked) => {
            const page = await scan(...asked);
            return { ...page, events: await masked(store, page.events) };
          },
        }
      : {}),
  };
  const made = Object.assign(Object.create(store), masking) as Store;
  stores.set(store, made);
  return made;
}

const hasReason = ({ type, data }: Read): boolean => type === 'CreditsGranted' && 'reason' in data;
const userOf = ({ data }: Read): string => String((data as { readonly userId?: unknown }).userId);

async function masked<Event extends Read>(store: Reading, events: readonly Event[]): Promise<readonly Event[]> {
  const users = new Set(events.filter(hasReason).map(userOf));
  if (users.size === 0) return events;
  const gone = new Set<string>();
  for (const userId of users) if (await isAccountGone(store, userId)) gone.add(userId);
  return events.map((event) =>
    hasReason(event) && gone.has(userOf(event)) ? { ...event, data: { ...event.data, reason: REDACTED } } : event,
  );
}

/** The last event of its stream stays. */
export async function isAccountGone(store: Pick<EventStore, 'read'>, userId: string): Promise<boolean> {
  const read = await store.read(accountStream(userId), { direction: 'backward', limit: 1 });
  return read.status !== 'found' || read.events[0]?.type === 'AccountDeleted';
}
