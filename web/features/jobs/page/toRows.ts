/** Links to rows further down the page: scrolls them into view and moves focus there. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Height of the page's header, in px. */
const HEADER = 56;

const STATE = { toRows: true };

/** Props of such a link. */
export const TO_ROWS = { state: STATE } as const;

/** Whether it begins in the upper half of the window, below the header: nothing has to move then. */
function isInSight(element: HTMLElement): boolean {
  const { top } = element.getBoundingClientRect();
  return top > HEADER && top < innerHeight / 2;
}

/**
 * For the element that holds the rows: it scrolls into view when such a link was followed and `wanted` is true; with
 * `atFirst` also when the page is opened at this address.
 */
export function useRowsInView<T extends HTMLElement>(wanted: boolean, atFirst = false) {
  const element = useRef<T>(null);
  const isFirst = useRef(true);
  const { key, state } = useLocation();
  const followed = (state as Partial<typeof STATE> | null)?.toRows === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each following of a link counts, though it leads to the same rows.
  useEffect(() => {
    const opened = atFirst && isFirst.current;
    isFirst.current = false;
    if (!wanted || !(followed || opened) || !element.current) return;
    if (!(followed && isInSight(element.current))) element.current.scrollIntoView({ block: 'start' });
    if (followed)
      element.current.querySelector<HTMLElement>('[role="tabpanel"], [aria-expanded]')?.focus({ preventScroll: true });
  }, [wanted, followed, key]);
  return element;
}
