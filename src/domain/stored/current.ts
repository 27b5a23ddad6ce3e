/** Reading: converts events of every earlier version to the current shape. Writing: accepts only that shape. */
import type * as z from 'zod';
import { currentMetadata, EVENT_METADATA, type EventMetadata, isCurrentMetadata } from './metadata.ts';
import { storedType } from './registry.ts';
import { type StoredType, versionOf } from './storedType.ts';

/** `unreadable`: why its data cannot be relied on, in words that contain none of its values. */
type Read = {
  /** Absent where only a part of the event was read. */
  readonly id?: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: EventMetadata;
  readonly unreadable?: string;
  readonly storedVersion?: number;
};
type Written = Omit<Read, 'unreadable' | 'storedVersion'>;

/**
 * The event as it would be written today. Checks only its version and key ids, so that reading stays fast; an event it
 * cannot convert is passed through unchanged, marked as unreadable. The metadata are always current.
 */
export function currentEvent<Event extends Read>(event: Event): Event {
  const known = storedType(event.type);
  const { metadata } = event;
  if (!isCurrentMetadata(metadata))
    return currentEvent({ ...event, metadata: currentMetadata(metadata, event.id ?? '') });
  if (event.unreadable !== undefined) return event;
  if (!known) return { ...event, unreadable: 'its type is not known' };
  const version = metadata.schemaVersion ?? 1;
  const present = versionOf(known);
  if (version === present) return keyed(event, known);
  if (!Number.isInteger(version) || version < 1 || version > present)
    return { ...event, unreadable: 'its version is not known' };
  return keyed(
    {
      ...event,
      data: upcast(known, event.data, version),
      metadata: { ...metadata, schemaVersion: present },
      storedVersion: version,
    },
    known,
  );
}

/** A problem with an event of the current version: where, and what was expected. Never contains a value. */
export type Problem = { readonly path: string; readonly expected: string };

/** All problems of an event of the current shape; empty if it may be written to the log. */
export function problemsOf({ type, data, metadata }: Pick<Written, 'type' | 'data' | 'metadata'>): readonly Problem[] {
  const known = storedType(type);
  if (!known) return [{ path: 'type', expected: 'a registered type' }];
  return [
    ...problems('data', known.schema.safeParse(data)),
    ...problems('metadata', EVENT_METADATA.safeParse(metadata)),
  ];
}

/** The event with its current schema version. */
export function stamped<Event extends Written>(event: Event): Event {
  const known = storedType(event.type);
  return known ? { ...event, metadata: { ...event.metadata, schemaVersion: versionOf(known) } } : event;
}

function upcast({ upcasts }: StoredType, data: object, version: number): object {
  return upcasts
    .slice(version - 1)
    .reduce<Readonly<Record<string, unknown>>>((older, toNext) => toNext(older), { ...data });
}

function keyed<Event extends Read>(event: Event, { ids }: StoredType): Event {
  const data: Readonly<Record<string, unknown>> = event.data as Readonly<Record<string, unknown>>;
  for (const id of ids) {
    const value = data[id];
    if (typeof value !== 'string' || value === '') return { ...event, unreadable: `its ${id} is no id` };
  }
  return event;
}

function problems(root: string, parsed: z.ZodSafeParseResult<unknown>): readonly Problem[] {
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => ({
    path: [root, ...issue.path].map(String).join('.'),
    expected: expectation(issue),
  }));
}

/** The library's own message may quote the value. */
function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'unrecognized_keys':
      return `nothing but the known fields (not ${issue.keys.join(', ')})`;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format;
    case 'too_small':
      return `at least ${issue.minimum}`;
    default:
      return 'another value';
  }
}
