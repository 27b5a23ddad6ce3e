/** What every adapter rejects before it writes, and the JSON that is stored. */
import { EventTooLarge, InvalidAppend, MAX_EVENT_BYTES, type NewEvent } from './eventStore.ts';

/** A serialized event: its data and metadata as JSON text, fixed at the time of the call. */
export type SerialisedEvent = { readonly id: string; readonly type: string; readonly data: string; readonly metadata: string };

const MAX_NAME_CHARACTERS = 500;
/** Control characters and unpaired surrogates, which would not be returned unchanged. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws InvalidAppend for a name that is empty, too long, reserved (`$`) or not storable. */
export function checkStream(stream: string): void {
  checkName('stream name', stream);
}

/** The texts of the events to be stored next, from a caller that already serialized them. */
let made: { readonly events: readonly NewEvent[]; readonly texts: readonly SerialisedEvent[] } | null = null;

/** Makes `serialiseEvents` return these texts for this same list within the current turn, so that events are serialized once. */
export function noteTexts(events: readonly NewEvent[], texts: readonly SerialisedEvent[]): void {
  made = { events, texts };
}

/** @throws InvalidAppend, EventTooLarge */
export function serialiseEvents(events: readonly NewEvent[]): readonly SerialisedEvent[] {
  const serialised = made?.events === events ? made.texts : events.map(serialiseEvent);
  made = null;
  if (serialised.length > 1) {
    const ids = new Set(serialised.map((event) => event.id));
    if (ids.size < serialised.length) throw new InvalidAppend('Two events of one append have the same id.');
  }
  return serialised;
}

/** @throws InvalidAppend, EventTooLarge */
export function serialiseEvent(event: NewEvent): SerialisedEvent {
  if (typeof event.id !== 'string' || !UUID.test(event.id)) throw new InvalidAppend(`The event id ${JSON.stringify(event.id)} is not a UUID.`);
  checkName('event type', event.type);
  const data = toJson('data', event.data);
  const metadata = toJson('metadata', event.metadata);
  checkSize(data, metadata);
  return { id: event.id, type: event.type, data, metadata };
}

function checkName(what: string, name: string): void {
  if (typeof name !== 'string' || name === '') throw new InvalidAppend(`The ${what} is empty.`);
  if (name.length > MAX_NAME_CHARACTERS) throw new InvalidAppend(`The ${what} has ${name.length} characters; the limit is ${MAX_NAME_CHARACTERS}.`);
  if (name.startsWith('$')) throw new InvalidAppend(`The ${what} ${name} starts with $, which is reserved.`);
  if (UNSTORABLE.test(name)) throw new InvalidAppend(`The ${what} has characters that cannot be stored.`);
}

function toJson(what: string, value: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new InvalidAppend(`The event's ${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (text === undefined || (text[0] !== '{' && text[0] !== '[')) throw new InvalidAppend(`The event's ${what} is not a JSON object.`);
  return text;
}

function checkSize(data: string, metadata: string): void {
  // A UTF-16 unit takes at most three bytes in UTF-8, so most events need no counting.
  if ((data.length + metadata.length) * 3 <= MAX_EVENT_BYTES) return;
  const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes > MAX_EVENT_BYTES) throw new EventTooLarge(bytes);
}
