import { clsx } from 'clsx';
import { ArrowUp } from 'lucide-react';
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { FEED_ROWS, type Observation } from '../../../../src/model/liveFeed.ts';
import { Button } from '../../../ui/Button.tsx';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { addressText } from '../page/addressText.ts';
import { fresh } from './feed.ts';
import type { FeedRow, LiveFeed } from './feedApi.ts';
import { seenWords } from './feedWords.ts';

interface FeedListProps {
  feed: LiveFeed;
  chosen: Observation | null;
  /** The server cannot be reached. */
  isLost: boolean;
  /** The site's origin, omitted from addresses. */
  origin: string | null;
  /** What stands for no rows. */
  empty: ReactNode;
}

/**
 * The addresses read last. While somebody reads in it (has scrolled, points at it, or has the focus in it), rows stay
 * where they are, and a button brings in those that came since.
 */
export function FeedList({ feed, chosen, isLost, origin, empty }: FeedListProps) {
  /** The rows, and the button above them. */
  const frame = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const isPointedAt = useRef(false);
  const [shown, setShown] = useState<readonly FeedRow[]>(feed.rows);
  const [isRead, setRead] = useState(false);
  const matches = ({ saw }: FeedRow): boolean => chosen === null || saw.includes(chosen);
  // Those of an interrupted crawl are gone.
  const held = shown.filter(({ n }) => n >= (feed.from ?? 0));
  const stays = isRead && held.length > 0;
  const rows = (stays ? held : feed.rows).filter(matches);
  const more = stays ? fresh(feed.rows.filter(matches), held) : 0;
  useEffect(() => {
    if (!stays) setShown(feed.rows);
  }, [feed.rows, stays]);

  const list = useSlidingRows(rows, chosen);

  /** Whether somebody reads in it now. The focus that a mouse leaves behind does not count. */
  function look(): void {
    const isScrolled = (region.current?.scrollTop ?? 0) > 0;
    setRead(isPointedAt.current || isScrolled || frame.current?.querySelector(':focus-visible') != null);
  }

  function point(isPointed: boolean): void {
    isPointedAt.current = isPointed;
    look();
  }

  function bringIn(): void {
    setShown(feed.rows);
    if (!region.current) return;
    region.current.scrollTop = 0;
    region.current.focus({ preventScroll: true });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it learns whether the pointer or the focus is in it.
    <div
      ref={frame}
      className="relative border-t border-line"
      onPointerEnter={({ pointerType }) => point(pointerType === 'mouse')}
      onPointerLeave={() => point(false)}
      onFocus={look}
      // From the rows to the button is no leaving: the button would be gone before it had the focus.
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || look()}
    >
      <section
        ref={region}
        aria-label="URLs read"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to.
        tabIndex={0}
        onScroll={look}
        className="relative h-[calc(100dvh-18rem)] min-h-80 overflow-y-auto overscroll-contain rounded-b-card max-sm:h-[calc(100dvh-21.5rem)]"
      >
        {rows.length === 0 ? (
          <p className="px-4 py-12 text-center text-muted">{empty}</p>
        ) : (
          <ol ref={list}>
            {rows.map((row) => (
              <FeedLine key={row.n} row={row} origin={origin} />
            ))}
          </ol>
        )}
        {feed.counts[chosen ?? 'all'] > rows.length + more && rows.length > 0 && (
          <p className="px-4 py-3 text-sm text-muted">
            {chosen === null ? 'The' : 'Among the'} {grouped(FEED_ROWS)} URLs read last. All are listed in the result.
          </p>
        )}
      </section>
      {/* Above the rows, so that it moves none. */}
      <div className="pointer-events-none absolute inset-x-0 top-1 flex justify-center gap-2">
        <p role="status">
          {isLost && (
            <span className="inline-flex min-h-8 items-center rounded-control border border-attention-line bg-attention-soft px-3 text-sm text-attention shadow-float">
              Connection lost. What is read meanwhile follows.
            </span>
          )}
        </p>
        {more > 0 && (
          <Button
            variant="primary"
            onClick={bringIn}
            className="pointer-events-auto animate-appear shadow-float motion-reduce:animate-none"
          >
            <ArrowUp aria-hidden="true" size={14} />
            <span className="tabular-nums">{count(more, 'new row')}</span>
          </Button>
        )}
      </div>
    </div>
  );
}

const SLIDE_MS = 240;

/** New rows above slide in: those that are there move down by no jump. For the list of these rows. */
function useSlidingRows(rows: readonly FeedRow[], chosen: Observation | null) {
  const list = useRef<HTMLOListElement>(null);
  const last = useRef({ first: rows[0]?.n, chosen });
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { first: rows[0]?.n, chosen };
    // Those of another filter are other rows.
    const above = before.chosen === chosen ? rows.findIndex(({ n }) => n === before.first) : -1;
    const { current } = list;
    const top = (above > 0 && (current?.children[above] as HTMLElement | undefined)?.offsetTop) || 0;
    if (!current || top === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    current.animate?.([{ transform: `translateY(-${top}px)` }, { transform: 'none' }], {
      duration: SLIDE_MS,
      easing: 'ease-out',
    });
  }, [rows, chosen]);
  return list;
}

const TONES = { good: 'text-muted', attention: 'text-attention', bad: 'font-medium text-bad' } as const;

function toneOf({ status, saw }: FeedRow): keyof typeof TONES {
  if (saw.includes('client_error') || saw.includes('server_error') || saw.includes('no_answer')) return 'bad';
  return status !== 200 ? 'attention' : 'good';
}

/** A line; on a phone two. */
const FeedLine = memo(function FeedLine({ row, origin }: { row: FeedRow; origin: string | null }) {
  const { url, status, ms, words, saw, failure } = row;
  const seen = seenWords(saw, failure);
  return (
    <li className="grid min-h-10 grid-cols-[2.5rem_minmax(0,1fr)] items-center gap-x-3 border-b border-line px-4 text-sm max-sm:py-1.5 sm:grid-cols-[2.5rem_minmax(0,1fr)_auto_auto]">
      <span className={clsx('tabular-nums', TONES[toneOf(row)])}>
        <span className="sr-only">Status </span>
        {status ?? '—'}
        {status === null && <span className="sr-only">none</span>}
      </span>
      <Address url={url} origin={origin} />
      <span className="flex gap-x-3 max-sm:col-start-2 max-sm:row-start-2 max-sm:flex-wrap sm:contents">
        <span className="text-attention max-sm:order-last sm:truncate">{seen.join(' · ')}</span>
        <span className="flex shrink-0 gap-x-3 text-muted tabular-nums sm:text-right">
          <span className="sm:w-18">{ms === null ? '' : `${grouped(ms)} ms`}</span>
          <span className={clsx('sm:w-22', words === null && 'max-sm:hidden')}>
            {words === null ? '' : count(words, 'word')}
          </span>
        </span>
      </span>
    </li>
  );
});

const HIDDEN = '[hidden]';

/** A link, unless it was cut or had a secret: it would lead elsewhere. */
function Address({ url, origin }: { url: string; origin: string | null }) {
  const isWhole = !url.endsWith('…') && !url.includes(HIDDEN);
  const href = isWhole ? webLink(url) : null;
  const text = isWhole ? addressText(url, 140, origin) : cutAddress(url, origin);
  const classes = 'block min-w-0 truncate font-mono text-normal';
  return href ? (
    <a href={href} title={url} {...OUTSIDE} className={clsx(classes, 'pointer-coarse:touch-line hover:underline')}>
      {text}
    </a>
  ) : (
    <span title={url} className={classes}>
      {text}
    </span>
  );
}

const cutAddress = (url: string, origin: string | null): string =>
  origin !== null && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
