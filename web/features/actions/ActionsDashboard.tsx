import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Notice } from '../../ui/Notice.tsx';
import { Status } from '../../ui/text/Status.tsx';
import { count } from '../../ui/text/wording.ts';
import { useBoardAddress } from './board/address.ts';
import { FilterSidebar } from './board/FilterSidebar.tsx';
import { applyFilters, countOf } from './board/filters.ts';
import { LockedNote } from './board/LockedNote.tsx';
import { type ByStatus, byStatus } from './board/sorting.ts';
import { SpotlightContext } from './board/spotlight.ts';
import { Tasks } from './board/Tasks.tsx';
import { type Connection, Toolbar } from './board/Toolbar.tsx';
import { useBoardKeys } from './board/useBoardKeys.tsx';
import { useRevertedLit, useSpotlight, useStandIn } from './board/useSpotlight.ts';
import { ActionDetail } from './item/ActionDetail.tsx';
import { ActionDialog } from './item/ActionDialog.tsx';
import { type ActionItem, type ActionStatus, itemOf, type RawAction } from './item/actionItem.ts';
import { type SharedFacts, SharedFactsList } from './item/SharedFactsList.tsx';
import { NextRecommended } from './NextRecommended.tsx';
import { ProgressStrip } from './ProgressStrip.tsx';
import { filledStats, type Stats, statsOf } from './progress.ts';
import { SummaryCard } from './SummaryCard.tsx';
import { type ActionWork, Work } from './work.ts';

export interface ActionsDashboardProps {
  /** Shared: read-only, without export, refresh or any API call. */
  mode: 'own' | 'shared';
  /** As received; missing fields get their defaults here. */
  actions: readonly RawAction[];
  executiveSummary: string | null;
  /** Author of the texts. */
  analyst?: string | null;
  /** For the whole plan; counted from `actions` when absent. */
  stats?: Partial<Stats> | undefined;
  /** Shown in the sidebar of a shared view. */
  sharedFacts?: SharedFacts;
  /** Only some of `totalActions` are in `actions`. */
  isPreview: boolean;
  totalActions: number;
  /** Host of the audited site, for exports and prompts. */
  site?: string;
  /** The owner's actions; without it (and always in mode 'shared') the dashboard is read-only. */
  work?: ActionWork | undefined;
  /** Shown in the toolbar, unless the page around it shows it. */
  connection?: Connection | undefined;
  summaryButton?: ReactNode;
  /** Shown where items are locked. */
  unlockButton?: ReactNode;
}

/** The dashboard of one audit, for its owner and, read-only, for visitors with a shared link. */
export function ActionsDashboard(props: ActionsDashboardProps) {
  const { mode, actions, site = '' } = props;
  const work = mode === 'own' ? (props.work ?? null) : null;
  const address = useBoardAddress();
  const items = useMemo(() => actions.map(itemOf), [actions]);
  const stats = useMemo(() => (props.stats ? filledStats(props.stats) : statsOf(items)), [props.stats, items]);
  const open = items.find((item) => item.id === address.actionId);
  const { spotlight, light, noteLeaving } = useSpotlight(address.actionId);
  return (
    <Work value={work}>
      <SpotlightContext value={spotlight}>
        {open ? (
          <OpenAction item={open} items={items} stats={stats} site={site} work={work} />
        ) : (
          <Overview
            {...props}
            items={items}
            stats={stats}
            site={site}
            work={work}
            light={light}
            noteLeaving={noteLeaving}
            missing={address.actionId !== null}
          />
        )}
      </SpotlightContext>
    </Work>
  );
}

interface OpenActionProps {
  item: ActionItem;
  items: readonly ActionItem[];
  stats: Stats;
  site: string;
  work: ActionWork | null;
}

function OpenAction({ item, items, stats, site, work }: OpenActionProps) {
  const address = useBoardAddress();
  const { sheet } = useBoardKeys({
    address,
    items: [item],
    open: item,
    work,
    onMove: work?.changeStatus,
    commands: {},
  });
  return (
    <>
      <ActionDetail item={item} items={items} address={address} stats={stats} site={site} />
      {sheet}
    </>
  );
}

interface OverviewProps extends Omit<ActionsDashboardProps, 'work'> {
  work: ActionWork | null;
  items: readonly ActionItem[];
  stats: Stats;
  site: string;
  light: (actionId: string) => void;
  noteLeaving: (event: MouseEvent) => void;
  /** The address names a task that does not exist. */
  missing: boolean;
}

function Overview({ items, stats, site, work, light, noteLeaving, missing, ...props }: OverviewProps) {
  const address = useBoardAddress();
  const sidebarId = useId();
  const searchField = useRef<HTMLInputElement>(null);
  const [sidebar, setSidebar] = useState(() => window.matchMedia('(min-width: 1440px)').matches);
  const [details, setDetails] = useState<string | null>(null);
  const taskItems = useMemo(() => items.filter(({ optional }) => !optional), [items]);
  // Keys and clicks are handled first; the lists and the focus follow.
  const shown = useDeferredValue(
    useMemo(() => byStatus(applyFilters(taskItems, address.filters)), [taskItems, address.filters]),
  );
  const suggested = useDeferredValue(
    useMemo(
      () =>
        applyFilters(
          items.filter(({ optional }) => optional),
          address.filters,
        ),
      [items, address.filters],
    ),
  );
  const change = work?.changeStatus;
  const move = useMemo(
    () =>
      change &&
      ((item: ActionItem, to: ActionStatus): void => {
        change(item, to);
        light(item.id);
      }),
    [change, light],
  );
  const addTask = work?.addTask;
  const add = useMemo(
    () =>
      addTask &&
      ((item: ActionItem): void => {
        addTask(item);
        light(item.id);
      }),
    [addTask, light],
  );
  useRevertedLit(work, light);
  const tasks = useRef<HTMLDivElement>(null);
  useStandIn(shown, tasks);
  const closeDetails = useCallback((): void => {
    if (details) light(details);
    setDetails(null);
  }, [details, light]);
  const showDetails = useCallback((item: ActionItem) => setDetails(item.id), []);
  const toggleSidebar = (): void => setSidebar((now) => !now);
  const search = (): void => {
    setSidebar(true);
    // The field may only now be rendering.
    setTimeout(() => searchField.current?.focus());
  };
  const { sheet, showSheet } = useBoardKeys({
    address,
    items,
    open: null,
    work,
    onMove: move,
    commands: { search, toggleSidebar },
  });
  const selected = items.find((item) => item.id === details);
  const locked = props.isPreview ? Math.max(0, props.totalActions - taskItems.length) : 0;
  return (
    <div className="space-y-4" onClickCapture={noteLeaving}>
      <Toolbar
        {...{ items, site, work, address, sidebarId, sidebar, toggleSidebar, showSheet }}
        connection={props.connection}
      />
      <div className="gap-6 space-y-4 lg:flex lg:space-y-0">
        {sidebar && (
          <div className="shrink-0 lg:w-[280px]">
            <FilterSidebar
              id={sidebarId}
              filters={address.filters}
              stats={stats}
              onChange={address.setFilters}
              searchField={searchField}
            >
              {props.sharedFacts && <SharedFactsList facts={props.sharedFacts} />}
            </FilterSidebar>
          </div>
        )}
        <div className="min-w-0 flex-1 space-y-4">
          {missing && (
            <Notice tone="attention">
              <p>We couldn’t find this task. It may have been removed.</p>
            </Notice>
          )}
          <ProgressStrip stats={stats} />
          {/* A board needs the full height of the screen. */}
          {address.view === 'list' && (
            <>
              {work && <NextRecommended items={taskItems} searchOf={address.searchOf} className="print:hidden" />}
              <SummaryCard text={props.executiveSummary} analyst={props.analyst ?? null} button={props.summaryButton} />
            </>
          )}
          <Status>{shownText(shown, taskItems.length, countOf(address.filters) > 0)}</Status>
          <div ref={tasks}>
            <Tasks
              all={taskItems}
              shown={shown}
              suggested={suggested}
              address={address}
              onMove={move}
              onAdd={add}
              onDetails={showDetails}
              onAll={light}
            />
          </div>
          {locked > 0 && (
            <LockedNote
              count={locked}
              shown={taskItems.length}
              own={props.mode === 'own'}
              unlock={props.unlockButton}
            />
          )}
        </div>
      </div>
      {selected && (
        <ActionDialog
          item={selected}
          search={address.searchOf(selected.id)}
          onMove={change}
          onAdd={add}
          onClose={closeDetails}
        />
      )}
      {sheet}
    </div>
  );
}

function shownText(shown: ByStatus, all: number, filtered: boolean): string {
  const number = Object.values(shown).reduce((sum, items) => sum + items.length, 0);
  return filtered ? `${number} of ${count(all, 'task')}` : count(all, 'task');
}
