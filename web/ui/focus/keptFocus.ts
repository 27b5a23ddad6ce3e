import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { focusText } from './focusText.ts';

interface FocusPlace {
  readonly element: Element;
  /** Row of the element; null outside the rows. */
  readonly row: string | null;
  /** The rows at that time, from top to bottom. */
  readonly rows: readonly (string | null)[];
}

const DIALOGS = '[role=dialog], [role=alertdialog]';

/**
 * Keeps keyboard focus when the focused element disappears (an audit ended, a key was revoked): moves it to another
 * control in the row, else to the next row, else to the previous one. What disappears outside the rows hands it to the
 * first row that came in its place ("Show all"). Without any, the heading has it. Rows have `data-row`. Call it in the
 * component whose render removes the rows.
 */
export function useKeptFocus(panel: RefObject<HTMLElement | null>): void {
  const place = useRef<FocusPlace | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      if (panel.current?.contains(target)) place.current = placeOf(target, panel.current);
      // Dialogs and their focus guards return the focus.
      else if (!target.closest(`${DIALOGS}, [data-base-ui-focus-guard]`)) place.current = null;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [panel]);
  useLayoutEffect(() => {
    const lost = place.current;
    if (!lost || !panel.current) return;
    if (lost.element.isConnected) {
      place.current = placeOf(lost.element, panel.current);
      return;
    }
    if (document.activeElement !== document.body || document.querySelector(DIALOGS)) return;
    place.current = null;
    const row = rowFor(lost, rowsIn(panel.current));
    const control = lost.row === null ? null : row?.querySelector<HTMLElement>('a[href], button');
    if (control) control.focus();
    else focusText(row ?? panel.current.closest('section')?.querySelector<HTMLElement>('h1, h2, h3'));
  });
}

const rowsIn = (panel: HTMLElement): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('[data-row]')];
const idOf = (row: Element | null | undefined): string | null => row?.getAttribute('data-row') ?? null;

function placeOf(element: Element, panel: HTMLElement): FocusPlace {
  // A row's details may be a row of their own, below it.
  const row = idOf(element.closest('[data-row]')) ?? idOf(element.closest('tr')?.previousElementSibling);
  return { element, row, rows: rowsIn(panel).map(idOf) };
}

function rowFor({ row, rows: before }: FocusPlace, rows: readonly HTMLElement[]): HTMLElement | undefined {
  if (row === null) return rows.find((each) => !before.includes(idOf(each)));
  const at = before.indexOf(row);
  const there = new Map(rows.map((each) => [idOf(each), each]));
  const id = [...before.slice(at), ...before.slice(0, at).reverse()].find((each) => there.has(each));
  return there.get(id ?? null);
}
