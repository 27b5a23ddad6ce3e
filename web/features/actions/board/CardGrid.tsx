import { measureElement, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, startTransition, useContext, useEffect, useRef, useState } from 'react';
import type { ActionItem } from '../item/actionItem.ts';
import { cardId, focusCard, SpotlightContext } from './spotlight.ts';

interface CardGridProps {
  label: string;
  items: readonly ActionItem[];
  /** Minimum card width in pixels; the row holds as many as fit. */
  minWidth: number;
  /** Height of a card in pixels before it is measured. */
  estimate: number;
  render: (item: ActionItem) => ReactNode;
}

/** Up to this many cards are all in the DOM, where the browser's find works; longer lists are virtualized. */
const WINDOWED_FROM = 120;
const GAP = 12;
const OVERSCAN = 1;

export function CardGrid(props: CardGridProps) {
  return props.items.length > WINDOWED_FROM ? <WindowedGrid {...props} /> : <PlainGrid {...props} />;
}

function PlainGrid({ label, items, minWidth, estimate, render }: CardGridProps) {
  const spotlight = useContext(SpotlightContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per request, not again when the items change.
  useEffect(() => {
    if (!spotlight || !items.some((item) => item.id === spotlight.actionId)) return;
    focusCard(spotlight);
    // The cards around it take their real heights only once they are near the viewport.
    const again = (): void => {
      if (document.activeElement?.id === cardId(spotlight.actionId)) focusCard(spotlight);
    };
    const frame = requestAnimationFrame(() => requestAnimationFrame(again));
    return () => cancelAnimationFrame(frame);
  }, [spotlight]);
  return (
    <ul
      aria-label={label}
      className="grid gap-3"
      style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${minWidth}px, 100%), 1fr))` }}
    >
      {items.map((item) => (
        // Skips layout while out of view. The padding leaves room for the focus outline, which would otherwise be
        // clipped.
        <li
          key={item.id}
          className="-m-1 min-w-0 p-1 [content-visibility:auto]"
          style={{ containIntrinsicSize: `auto ${estimate}px` }}
        >
          {render(item)}
        </li>
      ))}
    </ul>
  );
}

function WindowedGrid({ label, items, minWidth, estimate, render }: CardGridProps) {
  const list = useRef<HTMLDivElement>(null);
  const place = usePlace(list, minWidth);
  const { columns, top } = place ?? UNKNOWN;
  const rows = useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => estimate,
    gap: GAP,
    overscan: OVERSCAN,
    useFlushSync: false,
    scrollMargin: top,
    // Measured by an observer after layout; reading the size here would force a layout at once.
    measureElement: (row, entry, grid) =>
      entry ? measureElement(row, entry, grid) : (grid.measurementsCache[grid.indexFromElement(row)]?.size ?? estimate),
  });
  const spotlight = useContext(SpotlightContext);
  const known = place !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per request, not again when the items change.
  useEffect(() => {
    const index = spotlight && known ? items.findIndex((item) => item.id === spotlight.actionId) : -1;
    if (!spotlight || index < 0 || focusCard(spotlight)) return;
    rows.scrollToIndex(Math.floor(index / columns), { align: 'center' });
    // The card is rendered by the scroll event that follows.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => focusCard(spotlight)));
    return () => cancelAnimationFrame(frame);
  }, [spotlight, known]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: between an <ul> and its items nothing else may stand, and the rows do.
    <div ref={list} role="list" aria-label={label} className="relative" style={{ height: rows.getTotalSize() }}>
      {(known ? rows.getVirtualItems() : []).map((row) => (
        <div
          key={row.key}
          role="presentation"
          ref={rows.measureElement}
          data-index={row.index}
          className="absolute inset-x-0 top-0 grid gap-3"
          style={{
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            transform: `translateY(${row.start - top}px)`,
          }}
        >
          {items.slice(row.index * columns, (row.index + 1) * columns).map((item, place) => (
            // biome-ignore lint/a11y/useSemanticElements: within the row that the browser lays out, this is the item of the list.
            <div
              key={item.id}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={row.index * columns + place + 1}
              className="min-w-0"
            >
              {render(item)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface Place {
  /** Cards per row. */
  readonly columns: number;
  /** Top of the list on the page, in pixels. */
  readonly top: number;
}

const UNKNOWN: Place = { columns: 1, top: 0 };

/** `null` until measured; the cards render only then, deferred until the page around them is up. */
function usePlace(list: React.RefObject<HTMLElement | null>, minWidth: number): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    const measure = (): void => {
      const box = list.current?.getBoundingClientRect();
      if (!box) return;
      const columns = Math.max(1, Math.floor((box.width + GAP) / (minWidth + GAP)));
      const top = Math.round(box.top + window.scrollY);
      startTransition(() => setPlace((now) => (now?.columns === columns && now.top === top ? now : { columns, top })));
    };
    measure();
    // Anything that grows above the list moves it, and resizes the page.
    const observer = new ResizeObserver(measure);
    if (list.current) observer.observe(list.current);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list, minWidth]);
  return place;
}
