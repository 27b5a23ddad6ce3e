import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { HistoryEventView } from '../../../../src/http/contract/admin/history.ts';
import { useWindowRows } from '../../../ui/table/useWindowRows.ts';
import { EventRow, RunRow } from './EventRow.tsx';
import { type TimelineRow, timelineRows } from './runs.ts';

interface TimelineProps {
  stream: string;
  events: readonly HistoryEventView[];
  hasStates: boolean;
  /** Number of the event that the address links to. */
  marked: number | null;
  /** Called when the end of the loaded rows scrolls into view. */
  onEnd: () => void;
}

/** Up to this many rows are all in the DOM, where the browser's find works; longer lists are virtualized. */
const WINDOWED_FROM = 150;
const ROW_HEIGHT = 84;

export function Timeline({ stream, events, hasStates, marked, onEnd }: TimelineProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(() => new Set(marked === null ? [] : [marked]));
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(() => new Set(marked === null ? [] : [marked]));
  const [lastMarked, setLastMarked] = useState(marked);
  if (marked !== lastMarked) {
    setLastMarked(marked);
    if (marked !== null) {
      setOpened(new Set([...opened, marked]));
      setUnfolded(new Set([...unfolded, marked]));
    }
  }
  const rows = timelineRows(events, unfolded);
  const toggle = (revision: number): void =>
    setOpened(
      opened.has(revision) ? new Set([...opened].filter((each) => each !== revision)) : new Set([...opened, revision]),
    );
  const render = (row: TimelineRow): ReactNode =>
    row.kind === 'run' ? (
      <RunRow
        events={row.events}
        onOpen={() => setUnfolded(new Set([...unfolded, ...row.events.map(({ revision }) => revision)]))}
      />
    ) : (
      <EventRow
        stream={stream}
        event={row.event}
        hasStates={hasStates}
        open={opened.has(row.event.revision)}
        marked={row.event.revision === marked}
        onToggle={() => toggle(row.event.revision)}
      />
    );
  const at = marked === null ? -1 : rows.findIndex((row) => row.kind === 'event' && row.event.revision === marked);
  const List = rows.length > WINDOWED_FROM ? WindowedList : PlainList;
  return <List rows={rows} render={render} goTo={at} onEnd={onEnd} />;
}

interface ListProps {
  rows: readonly TimelineRow[];
  render: (row: TimelineRow) => ReactNode;
  /** The row to scroll to, once; -1: none. */
  goTo: number;
  onEnd: () => void;
}

function PlainList({ rows, render, goTo, onEnd }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const key = rows[goTo]?.key;
  useEffect(() => {
    if (key) list.current?.querySelector(`#${key}`)?.scrollIntoView({ block: 'center' });
  }, [key]);
  return (
    <div ref={list} role="feed" aria-label="Events">
      {rows.map((row) => (
        <div key={row.key}>{render(row)}</div>
      ))}
      <EndOfList onEnd={onEnd} count={rows.length} />
    </div>
  );
}

function WindowedList({ rows, render, goTo, onEnd }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { virtual, placeOf } = useWindowRows({ keys: rows.map(({ key }) => key), estimate: ROW_HEIGHT, list });
  const key = rows[goTo]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a wish, not again when the rows change.
  useEffect(() => {
    if (key) virtual.scrollToIndex(goTo, { align: 'center' });
  }, [key]);
  return (
    <>
      <div ref={list} role="feed" aria-label="Events" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <div key={item.key} {...placeOf(item)}>
                {render(row)}
              </div>
            )
          );
        })}
      </div>
      <EndOfList onEnd={onEnd} count={rows.length} />
    </>
  );
}

/** Reports when the end nears the viewport, and again after more rows if it is still near. */
function EndOfList({ onEnd, count }: { onEnd: () => void; count: number }) {
  const mark = useRef<HTMLDivElement>(null);
  const tell = useRef(onEnd);
  useEffect(() => {
    tell.current = onEnd;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in view already is told again when there is more.
  useEffect(() => {
    if (!mark.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && tell.current(),
      { rootMargin: '600px' },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [count]);
  return <div ref={mark} />;
}
