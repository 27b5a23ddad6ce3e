/** Keys of the list of issues, while it or the opened issue has the focus. Each has a control that does the same. */
import { type RefObject, useEffect, useRef } from 'react';
import type { KeyRow } from '../../../ui/overlay/KeysDialog.tsx';
import { singleKeysOff } from '../../../ui/singleKeys.ts';

export const KEYS: readonly KeyRow[] = [
  [['j', 'k'], 'Next issue, previous issue'],
  [['Enter'], 'Open the issue'],
  [['x'], 'Select the issue'],
  [['e'], 'Start the task of the issue, or complete it'],
  [['/'], 'Search issues'],
  [['Esc'], 'Back to the list, then close the issue'],
];

export interface IssueKeys {
  /** The opened issue, which has the keys while the focus is in it. */
  readonly opened: string | null;
  /** After the focus has moved to the row of another issue. */
  readonly onMoved: (checkId: string) => void;
  readonly onSelect: (checkId: string) => void;
  readonly onAdvance: (checkId: string) => void;
  readonly onSearch: () => void;
  readonly onClose: () => void;
}

const ROW = '[data-issue]';
const TYPED_IN = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]';

const rowsIn = (area: HTMLElement): HTMLElement[] => [...area.querySelectorAll<HTMLElement>(ROW)];
const rowOf = (target: Element): HTMLElement | null =>
  target.closest('[data-row]')?.querySelector<HTMLElement>(ROW) ?? null;

/** The control of an issue's row. */
export const rowFor = (area: HTMLElement | null, checkId: string): HTMLElement | undefined =>
  area ? rowsIn(area).find((row) => row.dataset.issue === checkId) : undefined;

export function useIssueKeys(area: RefObject<HTMLElement | null>, keys: IssueKeys): void {
  const now = useRef(keys);
  useEffect(() => {
    now.current = keys;
  });
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const pressed = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(target instanceof Element) || target.closest(TYPED_IN)) return;
      if (event.key !== 'Escape' && singleKeysOff()) return;
      const command = commandOf(event.key, element, target, now.current);
      if (!command) return;
      event.preventDefault();
      command();
    };
    element.addEventListener('keydown', pressed);
    return () => element.removeEventListener('keydown', pressed);
  }, [area]);
}

function commandOf(key: string, area: HTMLElement, target: Element, keys: IssueKeys): (() => void) | undefined {
  const { opened } = keys;
  const row = rowOf(target) ?? (opened === null ? undefined : rowFor(area, opened));
  const issue = row?.dataset.issue;
  switch (key) {
    case 'j':
      return () => move(area, row, 1, keys);
    case 'k':
      return () => move(area, row, -1, keys);
    case 'x':
      return issue ? () => keys.onSelect(issue) : undefined;
    case 'e':
      return issue ? () => keys.onAdvance(issue) : undefined;
    case '/':
      return keys.onSearch;
    case 'Escape':
      if (opened === null) return undefined;
      return target === row ? keys.onClose : () => row?.focus();
    default:
      return undefined;
  }
}

function move(area: HTMLElement, from: HTMLElement | undefined, by: number, { onMoved }: IssueKeys): void {
  const rows = rowsIn(area);
  const at = from ? rows.indexOf(from) : -1;
  const next = at < 0 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  if (next?.dataset.issue && next !== from) onMoved(next.dataset.issue);
}
