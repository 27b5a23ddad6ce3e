import { type RefObject, useLayoutEffect, useState } from 'react';

/** Until it is known, and where nothing is laid out. */
const USUAL = 720;

/** The width of an element in px, also when it changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(USUAL);
  useLayoutEffect(() => {
    const shown = element.current;
    if (!shown) return;
    const read = (): void => {
      if (shown.clientWidth > 0) setWidth(shown.clientWidth);
    };
    read();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(read);
    observer.observe(shown);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
