/** Converts between wire messages and log records. */
import type * as Shared from '@eventstore/db-client/generated/shared_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ProposedEvent, StoredEvent } from './records.ts';
import type { Expected } from './writer.ts';

const JSON_CONTENT = 'application/json';
const BINARY_CONTENT = 'application/octet-stream';

/** An event to return: the event alone, a link with its target, or a dangling link. */
export type Resolved = { readonly event?: StoredEvent; readonly link?: StoredEvent };

/** The position of a resolved event: that of its link, if it has one. */
export function originalOf({ event, link }: Resolved): StoredEvent {
  const original = link ?? event;
  if (!original) throw new Error('a resolved event has an event or a link');
  return original;
}

export function empty(): Shared.Empty {
  return new shared.Empty();
}

export function streamIdentifier(name: string): Shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name).toString('base64'));
}

export function streamNameOf(identifier: Shared.StreamIdentifier | undefined): string {
  return identifier ? Buffer.from(identifier.getStreamName_asU8()).toString('utf8') : '';
}

export function uuid(id: string): Shared.UUID {
  return new shared.UUID().setString(id);
}

export function uuidOf(message: Shared.UUID | undefined): string {
  if (!message?.hasStructured()) return message?.getString() ?? '';
  const structured = message.getStructured();
  const hex = [structured?.getMostSignificantBits(), structured?.getLeastSignificantBits()]
    .map((bits) =>
      BigInt.asUintN(64, BigInt(bits ?? 0))
        .toString(16)
        .padStart(16, '0'),
    )
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

type ProposedMessage = Streams.AppendReq.ProposedMessage | Streams.BatchAppendReq.ProposedMessage;

export function proposedOf(message: ProposedMessage): ProposedEvent {
  const metadata = message.getMetadataMap();
  return {
    id: uuidOf(message.getId()),
    type: metadata.get('type') ?? '',
    json: metadata.get('content-type') === JSON_CONTENT,
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

type RevisionOptions = { hasNoStream(): boolean; hasAny(): boolean; hasStreamExists(): boolean };

export function expectedOf(options: RevisionOptions, revision: string): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return BigInt(revision);
}

function recorded(event: StoredEvent, position: bigint): Streams.ReadResp.ReadEvent.RecordedEvent {
  const message = new streams.ReadResp.ReadEvent.RecordedEvent();
  message.setId(uuid(event.id));
  message.setStreamIdentifier(streamIdentifier(event.stream));
  message.setStreamRevision(String(event.revision));
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  message.setData(event.data);
  message.setCustomMetadata(event.metadata);
  const metadata = message.getMetadataMap();
  metadata.set('type', event.type);
  // In ticks of 100 ns since 1970.
  metadata.set('created', String(BigInt(Math.round(event.created)) * 10_000n));
  metadata.set('content-type', event.json ? JSON_CONTENT : BINARY_CONTENT);
  return message;
}

/** For a resolved link, both records have the link's own position in $all. */
export function eventMessage(message: Resolved): Streams.ReadResp {
  const { event, link } = message;
  const { position } = originalOf(message);
  const { ReadEvent } = streams.ReadResp;
  const read = new ReadEvent().setCommitPosition(String(position));
  if (event) read.setEvent(recorded(event, position));
  if (link) read.setLink(recorded(link, position));
  return new streams.ReadResp().setEvent(read);
}
