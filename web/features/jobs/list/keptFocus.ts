import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface FocusPlace {
  readonly element: Element;
  /** The row it was in; null outside the rows. */
  readonly jobId: string | null;
  /** The rows as they stood then, from top to bottom. */
  readonly jobIds: readonly (string | null)[];
}

/**
 * Keeps the keyboard's place when what held the focus is gone (an analysis ended, a job was deleted): on to what the row offers now, else
 * to the next row, else the one before, else `fallback`. Call it in the component whose render takes the rows away.
 */
export function useKeptFocus(panel: RefObject<HTMLElement | null>, fallback: RefObject<HTMLElement | null>): void {
  const place = useRef<FocusPlace | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      if (panel.current?.contains(target)) place.current = placeOf(target, panel.current);
      // From a dialog, and from the guards that keep the focus in it, it comes back.
      else if (!target.closest('[role=dialog], [role=alertdialog], [data-base-ui-focus-guard]')) place.current = null;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [panel]);
  useLayoutEffect(() => {
    const lost = place.current;
    if (!lost || lost.element.isConnected || !panel.current || document.activeElement !== document.body) return;
    place.current = null;
    (nextTo(lost, panel.current) ?? fallback.current)?.focus();
  });
}

const rowsIn = (panel: HTMLElement): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('[data-job]')];
const jobOf = (row: Element | null | undefined): string | null => row?.getAttribute('data-job') ?? null;

function placeOf(element: Element, panel: HTMLElement): FocusPlace {
  const row = element.closest('tr');
  // The details of a job are a row of their own, below the job's.
  return { element, jobId: jobOf(row) ?? jobOf(row?.previousElementSibling), jobIds: rowsIn(panel).map(jobOf) };
}

function nextTo({ jobId, jobIds }: FocusPlace, panel: HTMLElement): HTMLElement | null {
  if (jobId === null) return null;
  const at = jobIds.indexOf(jobId);
  const rows = new Map(rowsIn(panel).map((row) => [jobOf(row), row]));
  const id = [...jobIds.slice(at), ...jobIds.slice(0, at).reverse()].find((each) => rows.has(each));
  return (id && rows.get(id)?.querySelector<HTMLElement>('a[href], button')) || null;
}
