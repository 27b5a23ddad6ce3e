/** What every adapter rejects before it writes, and the JSON that is stored. */
import type { EventMetadata } from '../domain/stored/metadata.ts';
import { EventTooLarge, InvalidAppend, MAX_EVENT_BYTES, type NewEvent, UNSTORABLE } from './eventStore.ts';

/**
 * An event whose data and metadata are JSON text, fixed at the time of the call, so that stores need not make it again.
 */
export class SerialisedEvent implements NewEvent {
  readonly id: string;
  readonly type: string;
  readonly dataJson: string;
  readonly metadataJson: string;

  constructor(id: string, type: string, dataJson: string, metadataJson: string) {
    this.id = id;
    this.type = type;
    this.dataJson = dataJson;
    this.metadataJson = metadataJson;
  }

  /** Parsed at each call. */
  get data(): object {
    return JSON.parse(this.dataJson);
  }

  /** Parsed at each call. */
  get metadata(): EventMetadata {
    return JSON.parse(this.metadataJson);
  }

  /**
   * With the hash of its predecessor at the end of its metadata, which must not have one yet.
   * @throws EventTooLarge
   */
  following(previousHash: string): SerialisedEvent {
    const metadataJson = `${this.metadataJson.slice(0, -1)}${this.metadataJson === '{}' ? '' : ','}"previousHash":"${previousHash}"}`;
    checkSize(this.dataJson, metadataJson);
    return new SerialisedEvent(this.id, this.type, this.dataJson, metadataJson);
  }
}

const MAX_NAME_CHARACTERS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws InvalidAppend for a name that is empty, too long, reserved (`$`) or not storable. */
export function checkStream(stream: string): void {
  checkName('stream name', stream);
}

/** @throws InvalidAppend, EventTooLarge */
export function serialiseEvents(events: readonly NewEvent[]): readonly SerialisedEvent[] {
  const serialised = events.map(serialiseEvent);
  if (serialised.length > 1) {
    const ids = new Set(serialised.map((event) => event.id));
    if (ids.size < serialised.length) throw new InvalidAppend('Two events of one append have the same id.');
  }
  return serialised;
}

/** @throws InvalidAppend, EventTooLarge */
export function serialiseEvent(event: NewEvent): SerialisedEvent {
  if (event instanceof SerialisedEvent) return event;
  if (typeof event.id !== 'string' || !UUID.test(event.id))
    throw new InvalidAppend(`The event id ${JSON.stringify(event.id)} is not a UUID.`);
  checkName('event type', event.type);
  const data = toJson('data', event.data);
  const metadata = toJson('metadata', event.metadata);
  checkSize(data, metadata);
  return new SerialisedEvent(event.id, event.type, data, metadata);
}

function checkName(what: string, name: string): void {
  if (typeof name !== 'string' || name === '') throw new InvalidAppend(`The ${what} is empty.`);
  if (name.length > MAX_NAME_CHARACTERS)
    throw new InvalidAppend(`The ${what} has ${name.length} characters; the limit is ${MAX_NAME_CHARACTERS}.`);
  if (name.startsWith('$')) throw new InvalidAppend(`The ${what} ${name} starts with $, which is reserved.`);
  if (UNSTORABLE.test(name)) throw new InvalidAppend(`The ${what} has characters that cannot be stored.`);
}

function toJson(what: string, value: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new InvalidAppend(
      `The event's ${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (text === undefined || (text[0] !== '{' && text[0] !== '['))
    throw new InvalidAppend(`The event's ${what} is not a JSON object.`);
  return text;
}

function checkSize(data: string, metadata: string): void {
  // A UTF-16 unit takes at most three bytes in UTF-8, so most events need no counting.
  if ((data.length + metadata.length) * 3 <= MAX_EVENT_BYTES) return;
  const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes > MAX_EVENT_BYTES) throw new EventTooLarge(bytes);
}
