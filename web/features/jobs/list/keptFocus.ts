import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface FocusPlace {
  readonly element: Element;
  /** Row of the element; null outside the rows. */
  readonly jobId: string | null;
  /** The rows at that time, from top to bottom. */
  readonly jobIds: readonly (string | null)[];
}

/**
 * Keeps keyboard focus when the focused element disappears (an audit ended, a job was deleted): moves it to another control in the row, else to the
 * next row, else to the previous one, else to `fallback`. Call it in the component whose render removes the rows.
 */
export function useKeptFocus(panel: RefObject<HTMLElement | null>, fallback: RefObject<HTMLElement | null>): void {
  const place = useRef<FocusPlace | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      if (panel.current?.contains(target)) place.current = placeOf(target, panel.current);
      // Dialogs and their focus guards return the focus.
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
  // A job's details are a row of their own, below the job's.
  return { element, jobId: jobOf(row) ?? jobOf(row?.previousElementSibling), jobIds: rowsIn(panel).map(jobOf) };
}

function nextTo({ jobId, jobIds }: FocusPlace, panel: HTMLElement): HTMLElement | null {
  if (jobId === null) return null;
  const at = jobIds.indexOf(jobId);
  const rows = new Map(rowsIn(panel).map((row) => [jobOf(row), row]));
  const id = [...jobIds.slice(at), ...jobIds.slice(0, at).reverse()].find((each) => rows.has(each));
  return (id && rows.get(id)?.querySelector<HTMLElement>('a[href], button')) || null;
}
