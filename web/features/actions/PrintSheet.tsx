import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { ACTION_STATUSES } from '../../../src/model/actions.ts';
import { categoryName } from '../../ui/text/categoryName.ts';
import { titleCase } from '../../ui/text/wording.ts';
import type { ByStatus } from './board/sorting.ts';
import { type ActionItem, resultsText } from './item/actionItem.ts';
import { effortText } from './item/effortText.ts';
import { statusName } from './work.ts';

/** True while the browser prints. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // Synchronous, since the browser prints the page as it is when the event handler returns.
    const before = (): void => flushSync(() => setPrinting(true));
    const after = (): void => setPrinting(false);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return printing;
}

/** All tasks that match the filters, in full, for printing; the optional items last. */
export function PrintSheet({ items, suggested }: { items: ByStatus; suggested: readonly ActionItem[] }) {
  const parts: readonly (readonly [string, readonly ActionItem[]])[] = [
    ...ACTION_STATUSES.map((status) => [statusName(status), items[status]] as const),
    ['Optional', suggested],
  ];
  return parts
    .filter(([, entries]) => entries.length > 0)
    .map(([title, entries]) => (
      <section key={title} className="space-y-4">
        <h2 className="text-lg">
          {title} ({entries.length})
        </h2>
        {entries.map((item) => (
          <Entry key={item.id} item={item} />
        ))}
      </section>
    ));
}

function Entry({ item }: { item: ActionItem }) {
  const facts = [
    !item.optional && `${titleCase(item.impact || 'unknown')} impact`,
    item.category && categoryName(item.category),
    item.minutes > 0 && effortText(item.minutes),
    `results ${resultsText(item.results)}`,
  ];
  return (
    <article className="break-inside-avoid border-t border-line pt-3">
      <h3 className="text-base">{item.title}</h3>
      <p className="text-sm text-muted">{facts.filter(Boolean).join(' · ')}</p>
      {item.problem && <p className="mt-1 whitespace-pre-line">{item.problem}</p>}
      {item.solution && <p className="mt-1 whitespace-pre-line">{item.solution}</p>}
      {item.code && <pre className="mt-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere">{item.code}</pre>}
      {item.notes && <p className="mt-1 whitespace-pre-line">Notes: {item.notes}</p>}
    </article>
  );
}
