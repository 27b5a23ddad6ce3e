import { useEffect, useState } from 'react';
import { asFailure } from '../../../api/failure.ts';
import { joined, lastOf, NO_FEED } from './feed.ts';
import { type LiveFeed, useLazyReadFeedQuery } from './feedApi.ts';

const EVERY_MS = 1_500;
/** While the server cannot be reached. */
const RETRY_MS = 4_000;

export interface WatchedFeed {
  readonly feed: LiveFeed;
  readonly state: 'loading' | 'there' | 'lost';
}

/** What the audit has read, asked again and again while it reads and somebody looks. */
export function useFeed(jobId: string, isReading: boolean): WatchedFeed {
  const [watched, setWatched] = useState<WatchedFeed>({ feed: NO_FEED, state: 'loading' });
  const [read] = useLazyReadFeedQuery();
  useEffect(() => {
    let feed = NO_FEED;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: { abort(): void } | null = null;

    async function ask(): Promise<void> {
      clearTimeout(timer);
      if (isOver || asking || document.hidden) return;
      const request = read({ jobId, after: lastOf(feed) });
      asking = request;
      const answer = await request;
      asking = null;
      if (isOver) return;
      if (answer.data) feed = joined(feed, answer.data);
      const failed = answer.data === undefined;
      setWatched({ feed, state: failed ? 'lost' : 'there' });
      // Deleted, or not this user's any more.
      if (failed && asFailure(answer.error).status === 404) return;
      if (failed || isReading) timer = setTimeout(ask, failed ? RETRY_MS : EVERY_MS);
    }

    const seen = (): void => void ask();
    void ask();
    document.addEventListener('visibilitychange', seen);
    return () => {
      isOver = true;
      clearTimeout(timer);
      asking?.abort();
      document.removeEventListener('visibilitychange', seen);
    };
  }, [jobId, isReading, read]);
  return watched;
}
