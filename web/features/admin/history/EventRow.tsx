import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { HistoryEventView } from '../../../../src/http/contract/admin/history.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { grouped } from '../../../ui/text/wording.ts';
import { ChangeList } from './ChangeList.tsx';
import { EventDetails } from './EventDetails.tsx';
import { runWords } from './runs.ts';

/** In a collapsed row. */
const CHANGES_SHOWN = 4;

export interface EventRowProps {
  stream: string;
  event: HistoryEventView;
  hasStates: boolean;
  open: boolean;
  /** The event that the address links to. */
  marked: boolean;
  onToggle: () => void;
}

export function EventRow({ stream, event, hasStates, open, marked, onToggle }: EventRowProps) {
  const { search } = useLocation();
  const { revision, title, type, at, by } = event;
  const details = useId();
  return (
    <article
      id={`event-${revision}`}
      aria-label={title}
      className={clsx('border-b border-line px-1 py-2', marked && 'bg-accent-soft')}
    >
      <div className="flex items-start gap-2">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={details}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 items-start gap-2 rounded-control text-left hover:bg-inset pointer-coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden="true"
            size={16}
            className={clsx('mt-0.5 shrink-0 text-muted transition-transform duration-150', open && 'rotate-90')}
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium text-strong wrap-anywhere">{title}</span>
              <span className="font-mono text-xs text-muted wrap-anywhere">{type}</span>
            </span>
            <span className="block text-sm text-muted wrap-anywhere">
              <time dateTime={at} className="tabular-nums">
                {exactTime(at, 'seconds')}
              </time>{' '}
              · {by}
            </span>
          </span>
        </button>
        <Link
          to={{ search, hash: `#${revision}` }}
          replace
          aria-label={`Link to event ${revision}`}
          className="inline-flex min-h-8 items-center rounded-control px-1 text-sm text-muted tabular-nums hover:text-strong pointer-coarse:min-h-11"
        >
          #{grouped(revision)}
        </Link>
      </div>
      <div id={details} className="pl-6">
        {open ? (
          <EventDetails stream={stream} event={event} hasStates={hasStates} />
        ) : (
          <ChangeList event={event} most={CHANGES_SHOWN} />
        )}
      </div>
    </article>
  );
}

export function RunRow({ events, onOpen }: { events: readonly HistoryEventView[]; onOpen: () => void }) {
  const times = events.map(({ at }) => at).sort();
  return (
    <article aria-label={runWords(events)} className="border-b border-line px-1 py-2">
      <button
        type="button"
        aria-expanded={false}
        onClick={onOpen}
        className="flex min-h-8 w-full items-start gap-2 rounded-control text-left hover:bg-inset pointer-coarse:min-h-11"
      >
        <ChevronRight aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="text-normal">{runWords(events)}</span>
          <span className="block text-sm text-muted tabular-nums">
            {exactTime(times[0] ?? '', 'seconds')} to {exactTime(times.at(-1) ?? '', 'seconds')} ·{' '}
            {grouped(events.length)} events folded
          </span>
        </span>
      </button>
    </article>
  );
}
