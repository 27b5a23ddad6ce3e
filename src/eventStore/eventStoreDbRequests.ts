/** The requests of the Streams service. */

import type * as Shared from '@eventstore/db-client/generated/shared_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter, ExpectedRevision } from './eventStore.ts';
import type { SerialisedEvent } from './newEvents.ts';

export type ReadDirection = 'forward' | 'backward';
export type Place = bigint | 'start' | 'end';

/** What the server is asked to leave out. `never`: nothing can match. */
export type ServerFilter = { readonly typeRegex: string } | { readonly streamPrefixes: readonly string[] };

const NOT_OF_THE_STORE = '^[^$]';
const NEVER = '(?!)';
const EVERYTHING = '9223372036854775807';

/** Types go to the server when both lists are given: they are the finer of the two. */
export function serverFilter(filter: EventFilter | undefined): ServerFilter {
  if (filter?.types?.length === 0 || filter?.streamPrefixes?.length === 0) return { typeRegex: NEVER };
  if (filter?.types !== undefined) return { typeRegex: `^(?:${filter.types.map(escapeRegex).join('|')})$` };
  if (filter?.streamPrefixes !== undefined) return { streamPrefixes: filter.streamPrefixes };
  return { typeRegex: NOT_OF_THE_STORE };
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** `count` undefined: all there is. */
export function streamRequest(stream: string, from: Place, direction: ReadDirection, count: number | undefined, resolveLinks = false): Streams.ReadReq {
  const place = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(streamIdentifier(stream));
  if (from === 'start') place.setStart(empty());
  else if (from === 'end') place.setEnd(empty());
  else place.setRevision(String(from));
  const options = readOptions(direction, resolveLinks).setStream(place).setNoFilter(empty());
  return new streams.ReadReq().setOptions(options.setCount(count === undefined ? EVERYTHING : String(count)));
}

/** `window`: how many events the server looks at in one go. */
export function allRequest(from: Place, direction: ReadDirection, count: number, filter: ServerFilter | null, window: number): Streams.ReadReq {
  const options = readOptions(direction, false).setAll(allPlace(from)).setCount(String(count));
  if (filter === null) options.setNoFilter(empty());
  else options.setFilter(filterOptions(filter, window));
  return new streams.ReadReq().setOptions(options);
}

/** After `after` (exclusive); the server tells where it stands each time it has looked at `window` events. */
export function subscriptionRequest(after: bigint, filter: ServerFilter, window: number): Streams.ReadReq {
  const options = readOptions('forward', false).setAll(allPlace(after === 0n ? 'start' : after));
  options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions()).setFilter(filterOptions(filter, window));
  return new streams.ReadReq().setOptions(options);
}

/** An append: its head, then one message for each event, so that no message is larger than its event. */
export function* appendRequests(stream: string, events: readonly SerialisedEvent[], expected: ExpectedRevision): Generator<Streams.AppendReq> {
  const options = new streams.AppendReq.Options().setStreamIdentifier(streamIdentifier(stream));
  if (expected === 'any') options.setAny(empty());
  else if (expected === 'no_stream') options.setNoStream(empty());
  else if (expected === 'stream_exists') options.setStreamExists(empty());
  else options.setRevision(String(expected));
  yield new streams.AppendReq().setOptions(options);
  for (const event of events) {
    const message = new streams.AppendReq.ProposedMessage().setId(new shared.UUID().setString(event.id));
    message.getMetadataMap().set('type', event.type);
    message.getMetadataMap().set('content-type', 'application/json');
    message.setData(Buffer.from(event.data)).setCustomMetadata(Buffer.from(event.metadata));
    yield new streams.AppendReq().setProposedMessage(message);
  }
}

function readOptions(direction: ReadDirection, resolveLinks: boolean): Streams.ReadReq.Options {
  return new streams.ReadReq.Options()
    .setReadDirection(direction === 'forward' ? 0 : 1)
    .setResolveLinks(resolveLinks)
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(empty()));
}

function allPlace(from: Place): Streams.ReadReq.Options.AllOptions {
  const place = new streams.ReadReq.Options.AllOptions();
  if (from === 'start') return place.setStart(empty());
  if (from === 'end') return place.setEnd(empty());
  // A write over gRPC has one position: prepared is committed.
  return place.setPosition(new streams.ReadReq.Options.Position().setCommitPosition(String(from)).setPreparePosition(String(from)));
}

function filterOptions(filter: ServerFilter, window: number): Streams.ReadReq.Options.FilterOptions {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  const options = new streams.ReadReq.Options.FilterOptions().setMax(window).setCheckpointintervalmultiplier(1);
  if ('typeRegex' in filter) return options.setEventType(expression.setRegex(filter.typeRegex));
  return options.setStreamIdentifier(expression.setPrefixList([...filter.streamPrefixes]));
}

export function streamIdentifier(name: string): Shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name));
}

export function empty(): Shared.Empty {
  return new shared.Empty();
}
