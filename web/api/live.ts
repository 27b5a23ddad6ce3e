/**
 * Realtime channels that pages add to the app's socket while they are open, beyond the permanent ones; and queries that
 * follow what a channel reports.
 */
import { createContext, useEffect, useRef } from 'react';
import type { ServerMessage } from '../../src/http/contract/realtime.ts';
import { callEach } from './listeners.ts';

export type RowEvent = Extract<ServerMessage, { type: 'event' }>;

export interface LiveChannel {
  readonly name: string;
  /**
   * Log position that the screen reflects. Null: it could not be read, so the whole connection is retried. A page's
   * channel without this function starts at the end of the log and has `reload` called once subscribed.
   */
  readonly position?: () => Promise<string | null>;
  /** The rows that arrived since the last frame, in their order; one change of the store for all of them. */
  readonly apply: (events: readonly RowEvent[]) => void;
  /** Refetches the data. */
  readonly reload: () => void;
}

export interface ChannelList {
  readonly all: () => readonly LiveChannel[];
  /** Adds a channel; only one page at a time may have one of this name. Returns an unsubscribe function. */
  readonly follow: (channel: LiveChannel) => () => void;
  /** Notifies the socket's owner of each channel added or removed. */
  readonly watch: (change: (channel: LiveChannel, here: boolean) => void) => () => void;
}

export function channelList(): ChannelList {
  const channels = new Set<LiveChannel>();
  const watchers = new Set<(channel: LiveChannel, here: boolean) => void>();
  const notify = (channel: LiveChannel, here: boolean): void => {
    callEach(watchers, (watcher) => watcher(channel, here));
  };
  return {
    all: () => [...channels],
    follow: (channel) => {
      channels.add(channel);
      notify(channel, true);
      return () => {
        if (channels.delete(channel)) notify(channel, false);
      };
    },
    watch: (change) => {
      watchers.add(change);
      return () => void watchers.delete(change);
    },
  };
}

/** Without a socket (shared pages), nothing watches the channels. */
export const LiveChannels = createContext<ChannelList>(channelList());

interface Query {
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/**
 * Refetches whenever `version` has changed; undefined while it is not known. RTK Query ignores a refetch while a
 * request is in flight, whose response may be older than the change, so this waits for its end.
 */
export function useRefetchOnChange(version: unknown, { isFetching, refetch }: Query): void {
  const fetched = useRef(version);
  useEffect(() => {
    fetched.current ??= version;
    if (isFetching || fetched.current === version) return;
    fetched.current = version;
    void refetch();
  }, [version, isFetching, refetch]);
}
