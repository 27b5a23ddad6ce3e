import { defaultRangeExtractor, measureElement, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useState } from 'react';

interface WindowRows {
  readonly keys: readonly string[];
  /** Height of a row in pixels before it is measured. */
  readonly estimate: number;
  /** Its top is where the rows begin. */
  readonly list: RefObject<HTMLElement | null>;
}

const OVERSCAN = 8;

/** Which rows of a long list are near enough to be in the document, and where. */
export function useWindowRows({ keys, estimate, list }: WindowRows) {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const measure = (): void => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    // Anything that grows above the list moves it, and resizes the page.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  // The row with the focus stays, or the keyboard would be lost.
  const [kept, keep] = useState<string | null>(null);
  const virtual = useWindowVirtualizer({
    count: keys.length,
    estimateSize: () => estimate,
    getItemKey: (index) => keys[index] ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), kept === null ? -1 : keys.indexOf(kept)),
    // Measured by an observer after layout; reading the size here would force a layout at once.
    measureElement: (row, entry, of) =>
      entry ? measureElement(row, entry, of) : (of.measurementsCache[of.indexFromElement(row)]?.size ?? estimate),
  });
  return {
    virtual,
    /** For the element around a row. */
    placeOf: (item: { readonly index: number; readonly start: number }) => ({
      ref: virtual.measureElement,
      'data-index': item.index,
      className: 'absolute inset-x-0',
      style: { transform: `translateY(${item.start - top}px)` },
      onFocus: () => keep(keys[item.index] ?? null),
    }),
  };
}

const withIndex = (range: readonly number[], index: number): number[] =>
  index < 0 || range.includes(index) ? [...range] : [...range, index].sort((a, b) => a - b);
