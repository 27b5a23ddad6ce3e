/** Grouping, and the steps between the first and the last. */
import { stepsBetween } from '../model/reportSteps.ts';
import type { ReportStep } from '../model/reports.ts';

/** Like `Map.groupBy`, which some supported Node.js versions lack. */
export function groupedBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Every step from the first to the last, including those without data, so that charts show the gaps. */
export function stepsOver(known: Iterable<string>, by: ReportStep): readonly string[] {
  const sorted = [...known].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || last === undefined ? [] : stepsBetween(first, last, by);
}
