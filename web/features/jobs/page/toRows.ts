/** Links to rows further down the page: scrolls them into view and moves focus there. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

const STATE = { toRows: true };

/** Props of such a link. */
export const TO_ROWS = { state: STATE } as const;

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
    element.current.scrollIntoView({ block: 'start' });
    if (followed)
      element.current.querySelector<HTMLElement>('[role="tabpanel"], [aria-expanded]')?.focus({ preventScroll: true });
  }, [wanted, followed, key]);
  return element;
}
