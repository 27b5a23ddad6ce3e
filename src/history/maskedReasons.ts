/**
 * Reasons that admins gave for credits are in the bills of earlier versions, and bills outlive their accounts. Whoever
 * reads events through this store sees such a reason only while the account is there. The log itself is not changed, so
 * what copies or verifies it reads it as it is.
 */
import { accountStream } from '../domain/account/events.ts';
import { REDACTED } from '../domain/stored/redaction.ts';
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';

type Reading = Pick<EventStore, 'read' | 'readAll'>;

const stores = new WeakMap<object, object>();

/** The same for the same store, since states are kept by store. Without `scan`, which leaves out who events are of. */
export function withMaskedReasons<Store extends Reading>(store: Store): Store {
  const known = stores.get(store);
  if (known) return known as Store;
  const masking: Reading & { readonly scan: undefined } = {
    read: async (...asked) => {
      const read = await store.read(...asked);
      return read.status === 'found' ? { ...read, events: await masked(store, read.events) } : read;
    },
    readAll: async (...asked) => {
      const page = await store.readAll(...asked);
      return { ...page, events: await masked(store, page.events) };
    },
    scan: undefined,
  };
  const made = Object.assign(Object.create(store), masking) as Store;
  stores.set(store, made);
  return made;
}

const hasReason = ({ type, data }: RecordedEvent): boolean => type === 'CreditsGranted' && 'reason' in data;

async function masked(store: Reading, events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
  const users = new Set(events.filter(hasReason).map(({ data }) => String(Object(data).userId)));
  if (users.size === 0) return events;
  const gone = new Set<string>();
  for (const userId of users) if (await isAccountGone(store, userId)) gone.add(userId);
  return events.map((event) =>
    hasReason(event) && gone.has(String(Object(event.data).userId))
      ? { ...event, data: { ...event.data, reason: REDACTED } }
      : event,
  );
}

/** The last event of its stream stays. */
export async function isAccountGone(store: Pick<EventStore, 'read'>, userId: string): Promise<boolean> {
  const read = await store.read(accountStream(userId), { direction: 'backward', limit: 1 });
  return read.status !== 'found' || read.events[0]?.type === 'AccountDeleted';
}
