import type { ChangesResponse } from '../../../../src/http/contract/admin/past.ts';
import { ascending } from '../../../../src/model/order.ts';

/** The sum of all parts; null when there are none. */
export function mergeChanges(parts: readonly ChangesResponse[]): ChangesResponse | null {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return null;
  const counts = new Map<string, ChangesResponse['counts'][number]>();
  const money = new Map<string, ChangesResponse['money'][number]>();
  for (const part of parts) {
    for (const each of part.counts)
      counts.set(each.type, { ...each, count: each.count + (counts.get(each.type)?.count ?? 0) });
    for (const { currency, ...moved } of part.money) {
      const before = money.get(currency) ?? { in: 0, out: 0 };
      money.set(currency, { currency, in: before.in + moved.in, out: before.out + moved.out });
    }
  }
  return {
    ...last,
    from: first.from,
    events: parts.reduce((sum, { events }) => sum + events, 0),
    counts: [...counts.values()].sort((a, b) => b.count - a.count || ascending(a.type, b.type)),
    money: [...money.values()].sort((a, b) => ascending(a.currency, b.currency)),
  };
}
