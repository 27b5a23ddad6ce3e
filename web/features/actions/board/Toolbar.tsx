import { Keyboard, LayoutList, PanelLeft, RotateCw, SquareKanban } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { ConnectionIndicator } from '../../../ui/ConnectionIndicator.tsx';
import { ExportButtons } from '../ExportButtons.tsx';
import type { ActionItem } from '../item/actionItem.ts';
import type { ActionWork } from '../work.ts';
import type { BoardAddress } from './address.ts';
import { countOf } from './filters.ts';

export type Connection = ComponentProps<typeof ConnectionIndicator>;

interface ToolbarProps {
  items: readonly ActionItem[];
  site: string;
  work: ActionWork | null;
  address: BoardAddress;
  sidebarId: string;
  sidebar: boolean;
  toggleSidebar: () => void;
  showSheet: () => void;
  connection: Connection | undefined;
}

export function Toolbar({
  items,
  site,
  work,
  address,
  sidebarId,
  sidebar,
  toggleSidebar,
  showSheet,
  connection,
}: ToolbarProps) {
  const active = countOf(address.filters);
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <Button
        aria-label={active > 0 ? `Filters, ${active} set` : undefined}
        aria-expanded={sidebar}
        aria-controls={sidebar ? sidebarId : undefined}
        onClick={toggleSidebar}
      >
        <PanelLeft aria-hidden="true" size={14} />
        Filters
        {active > 0 && (
          <span className="rounded-full bg-accent px-1.5 text-xs text-on-accent tabular-nums">{active}</span>
        )}
      </Button>
      <ViewSwitch address={address} />
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        {connection && <ConnectionIndicator {...connection} />}
        <Button
          variant="quiet"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={showSheet}
          className="max-sm:hidden"
        >
          <Keyboard aria-hidden="true" size={16} />
        </Button>
        {work && (
          <Button className="max-sm:hidden" onClick={work.refresh}>
            <RotateCw aria-hidden="true" size={14} className={work.refreshing ? 'animate-spin' : ''} />
            Refresh
          </Button>
        )}
        {work && <ExportButtons items={items} site={site} work={work} />}
      </div>
    </div>
  );
}

const VIEWS = [
  ['list', 'List', LayoutList],
  ['board', 'Board', SquareKanban],
] as const;

function ViewSwitch({ address }: { address: BoardAddress }) {
  return (
    <fieldset className="flex rounded-control border border-line-strong/60 bg-card p-0.5">
      <legend className="sr-only">View</legend>
      {VIEWS.map(([view, name, Icon]) => (
        <label
          key={view}
          className="inline-flex min-h-7 cursor-pointer items-center gap-1.5 rounded-[4px] px-2 text-normal has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-10"
        >
          <input
            type="radio"
            name="board-view"
            checked={address.view === view}
            onChange={() => address.setView(view)}
            className="sr-only"
          />
          <Icon aria-hidden="true" size={14} className="max-[23rem]:hidden" />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
