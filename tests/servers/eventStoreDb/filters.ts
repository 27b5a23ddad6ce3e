/** Filters on $all: by event type or by stream name, as a list of prefixes or a regular expression. */
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Passes } from './reader.ts';

type FilterMessage = Streams.ReadReq.Options.FilterOptions;

type Filter = { readonly on: 'type' | 'stream'; readonly prefixes: readonly string[]; readonly regex: string };

export function filterOf(message: FilterMessage): Filter {
  const on = message.hasEventType() ? 'type' : 'stream';
  const expression = on === 'type' ? message.getEventType() : message.getStreamIdentifier();
  return { on, prefixes: expression?.getPrefixList() ?? [], regex: expression?.getRegex() ?? '' };
}

export function passesOf({ on, prefixes, regex }: Filter): Passes {
  if (regex) {
    const pattern = new RegExp(regex);
    return (event) => pattern.test(event[on]);
  }
  return (event) => prefixes.some((prefix) => event[on].startsWith(prefix));
}
