import { ArrowRightLeft } from 'lucide-react';
import { ACTION_STATUSES } from '../../../../src/model/actions.ts';
import { MenuButton } from '../../../ui/overlay/MenuButton.tsx';
import type { ActionItem, ActionStatus } from '../item/actionItem.ts';
import { statusName } from '../work.ts';

interface MoveMenuProps {
  item: ActionItem;
  onMove: (item: ActionItem, to: ActionStatus) => void;
  className?: string;
}

/** Keyboard and touch alternative to dragging. */
export function MoveMenu({ item, onMove, className = '' }: MoveMenuProps) {
  return (
    <MenuButton
      label={`Move to…: ${item.title}`}
      variant="quiet"
      className={className}
      choices={ACTION_STATUSES.map((status) => ({
        label: statusName(status),
        disabled: status === item.status,
        onChoose: () => onMove(item, status),
      }))}
    >
      <ArrowRightLeft aria-hidden="true" size={14} />
      <span>Move to…</span>
    </MenuButton>
  );
}
