/** Joins what the server answers while an audit is watched, and what of it is shown. Pure. */
import { FEED_ROWS, NO_COUNTS } from '../../../../src/model/liveFeed.ts';
import type { FeedRow, LiveFeed } from './feedApi.ts';

export const NO_FEED: LiveFeed = { from: null, rows: [], counts: NO_COUNTS };

/** The number that the next answer continues after. */
export const lastOf = ({ rows }: LiveFeed): number => rows[0]?.n ?? 0;

/** Newest first, the newest ones only, and none of a crawl that was interrupted. */
export function joined(held: LiveFeed, answer: LiveFeed): LiveFeed {
  // The audit has ended, or is handed on: what was read stays on the screen.
  if (answer.from === null) return held;
  const { from, counts } = answer;
  const last = lastOf(held);
  const rows = [...answer.rows.filter(({ n }) => n > last), ...held.rows].filter(({ n }) => n >= from);
  return { from, counts, rows: rows.slice(0, FEED_ROWS) };
}

/** How many of the newest rows are not among those shown. */
export const fresh = (newest: readonly FeedRow[], shown: readonly FeedRow[]): number =>
  newest.filter(({ n }) => n > (shown[0]?.n ?? 0)).length;
