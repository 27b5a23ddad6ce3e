/** What the app listens to on its one socket beyond what it always listens to: pages add channels for as long as they are shown. */
import { createContext } from 'react';
import type { ServerMessage } from '../../src/http/contract/realtime.ts';

export type RowEvent = Extract<ServerMessage, { type: 'event' }>;

export interface LiveChannel {
  readonly name: string;
  /**
   * What the screen shows now reflects the log up to here. Null: it could not be read; try the whole connection again. A page's channel without
   * it begins where the log stands, and `reload` is called once it does.
   */
  readonly position?: () => Promise<string | null>;
  readonly apply: (event: RowEvent) => void;
  /** Read the truth once more. */
  readonly reload: () => void;
}

export interface ChannelList {
  readonly all: () => readonly LiveChannel[];
  /** One page at a time has a channel of this name. Returns how to leave it. */
  readonly follow: (channel: LiveChannel) => () => void;
  /** Tells who carries the channels of each that comes or goes. */
  readonly watch: (change: (channel: LiveChannel, here: boolean) => void) => () => void;
}

export function channelList(): ChannelList {
  const channels = new Set<LiveChannel>();
  const watchers = new Set<(channel: LiveChannel, here: boolean) => void>();
  const notify = (channel: LiveChannel, here: boolean): void => {
    for (const watcher of watchers) watcher(channel, here);
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

/** Where no socket is (shared pages), channels are followed by nobody. */
export const LiveChannels = createContext<ChannelList>(channelList());
