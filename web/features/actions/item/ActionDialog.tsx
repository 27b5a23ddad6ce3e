import { Link } from 'react-router-dom';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { FROM_LIST } from '../board/address.ts';
import { nextMove } from '../work.ts';
import type { ActionItem, ActionStatus } from './actionItem.ts';
import { Facts } from './Facts.tsx';
import { ImpactBadge, StatusTag } from './impact.tsx';

interface ActionDialogProps {
  item: ActionItem;
  search: string;
  onMove: ((item: ActionItem, to: ActionStatus) => void) | undefined;
  onAdd: ((item: ActionItem) => void) | undefined;
  onClose: () => void;
}

/** A quick view of a task over the list; its own page has the rest. */
export function ActionDialog({ item, search, onMove, onAdd, onClose }: ActionDialogProps) {
  const move = nextMove(item.status);
  return (
    <Dialog
      title={item.title}
      onClose={onClose}
      footer={
        <>
          <Link to={{ search }} state={FROM_LIST} onClick={onClose} className={buttonClasses('secondary')}>
            Open full page
          </Link>
          {onAdd && item.optional && (
            <Button
              variant="primary"
              onClick={() => {
                onAdd(item);
                onClose();
              }}
            >
              Add to Tasks
            </Button>
          )}
          {onMove && !item.optional && (
            <Button variant="primary" onClick={() => onMove(item, move.to)}>
              {move.label}
            </Button>
          )}
        </>
      }
    >
      <div className="space-y-4">
        <div className="flex flex-wrap gap-2">
          <ImpactBadge item={item} />
          {!item.optional && <StatusTag status={item.status} />}
        </div>
        {item.businessValue && <p>{item.businessValue}</p>}
        <Part title="Problem" text={item.problem} />
        <Part title="Solution" text={item.solution} />
        <Facts item={item} />
      </div>
    </Dialog>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  if (!text) return null;
  return (
    <section>
      <h3 className="text-base">{title}</h3>
      <p className="mt-1 whitespace-pre-line wrap-anywhere">
        <InlineText text={text} />
      </p>
    </section>
  );
}
