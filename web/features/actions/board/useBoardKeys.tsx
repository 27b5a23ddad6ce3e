/** The keyboard shortcuts of the board, and the sheet that explains them. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { ACTION_STATUSES } from '../../../../src/model/actions.ts';
import { singleKeysOff } from '../../../ui/singleKeys.ts';
import type { ActionItem, ActionStatus } from '../item/actionItem.ts';
import type { ActionWork } from '../work.ts';
import type { BoardAddress } from './address.ts';
import { ShortcutsSheet } from './ShortcutsSheet.tsx';
import { actionIn, cardsOnPage, focusCard, TYPED_IN } from './spotlight.ts';

interface BoardKeys {
  address: BoardAddress;
  items: readonly ActionItem[];
  /** The task whose page is open. */
  open: ActionItem | null;
  work: ActionWork | null;
  onMove: ((item: ActionItem, to: ActionStatus) => void) | undefined;
  /** Commands that exist only in the list. */
  commands: { readonly search?: () => void; readonly toggleSidebar?: () => void };
}

export function useBoardKeys(keys: BoardKeys): { readonly sheet: ReactNode; readonly showSheet: () => void } {
  const [sheet, setSheet] = useState(false);
  const showSheet = useCallback(() => setSheet(true), []);
  const now = useRef(keys);
  useEffect(() => {
    now.current = keys;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        singleKeysOff() ||
        isElsewhere(event.target)
      )
        return;
      const command = event.key === '?' ? showSheet : commandOf(event, now.current);
      if (!command) return;
      event.preventDefault();
      command();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [showSheet]);
  return { sheet: sheet && <ShortcutsSheet canWork={keys.work !== null} onClose={() => setSheet(false)} />, showSheet };
}

/** Whether the focus is in a field or in an overlay above the board. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest(`${TYPED_IN}, [role=dialog], [role=alertdialog], [role=menu]`) !== null
  );
}

function commandOf(
  event: KeyboardEvent,
  { address, items, open, work, onMove, commands }: BoardKeys,
): (() => void) | undefined {
  const item = open ?? items.find((each) => each.id === actionIn(document.activeElement));
  const moveTo = (to: ActionStatus | undefined): (() => void) | undefined =>
    item && to && onMove ? () => onMove(item, to) : undefined;
  const beside = (step: number): ActionStatus | undefined =>
    item ? ACTION_STATUSES[ACTION_STATUSES.indexOf(item.status) + step] : undefined;
  if (event.shiftKey && event.key === 'ArrowRight') return moveTo(beside(1));
  if (event.shiftKey && event.key === 'ArrowLeft') return moveTo(beside(-1));
  switch (event.key) {
    case 's':
      return moveTo('in-progress');
    case 'c':
      return moveTo('completed');
    case 'r':
      return moveTo('todo');
    case 'u':
      return work?.undo ?? undefined;
    case 'Escape':
      return open ? address.close : undefined;
    default:
      return open ? undefined : listCommand(event.key, address, commands);
  }
}

function listCommand(key: string, address: BoardAddress, commands: BoardKeys['commands']): (() => void) | undefined {
  switch (key) {
    case 'j':
      return () => step(1);
    case 'k':
      return () => step(-1);
    case '/':
      return commands.search;
    case 'f':
      return commands.toggleSidebar;
    case 'l':
      return () => address.setView('list');
    case 'b':
      return () => address.setView('board');
    default:
      return undefined;
  }
}

function step(by: number): void {
  const all = cardsOnPage();
  const at = all.indexOf(actionIn(document.activeElement) ?? '');
  const next = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by));
  if (all[next]) focusCard({ actionId: all[next] });
}
