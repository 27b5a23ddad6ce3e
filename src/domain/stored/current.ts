/** Reading: events of every earlier version in the shape of today. Writing: nothing but that shape. */
import type { z } from 'zod';
import { currentMetadata, EVENT_METADATA, type EventMetadata, isCurrentMetadata } from './metadata.ts';
import { storedType } from './registry.ts';
import { type StoredType, versionOf } from './storedType.ts';

/** `unreadable`: why its data cannot be relied on, in words without any of its values. */
type Read = {
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: EventMetadata;
  readonly unreadable?: string;
  readonly storedVersion?: number;
};
type Written = Omit<Read, 'unreadable' | 'storedVersion'>;

/**
 * The event as it would be written today. Looks at no more than its version and the ids by which it is found, so that reading stays fast; what it can say
 * nothing of is handed on as it is, marked as unreadable. The metadata are current in any case.
 */
export function currentEvent<Event extends Read>(event: Event): Event {
  const known = storedType(event.type);
  const { metadata } = event;
  if (!isCurrentMetadata(metadata)) return currentEvent({ ...event, metadata: currentMetadata(metadata, event.id) });
  if (!known) return { ...event, unreadable: 'its type is not known' };
  const version = metadata.schemaVersion ?? 1;
  const present = versionOf(known);
  if (version === present) return keyed(event, known);
  if (!Number.isInteger(version) || version < 1 || version > present) return { ...event, unreadable: 'its version is not known' };
  return keyed({ ...event, data: upcast(known, event.data, version), metadata: { ...metadata, schemaVersion: present }, storedVersion: version }, known);
}

/** What is wrong with an event of the present version: where, and what was expected there. Never a value. */
export type Problem = { readonly path: string; readonly expected: string };

/** All there is to say against an event of the present shape; nothing when it may stand in the log. */
export function problemsOf({ type, data, metadata }: Pick<Written, 'type' | 'data' | 'metadata'>): readonly Problem[] {
  const known = storedType(type);
  if (!known) return [{ path: 'type', expected: 'a registered type' }];
  return [...problems('data', known.schema.safeParse(data)), ...problems('metadata', EVENT_METADATA.safeParse(metadata))];
}

/** The event with the version that its data have. */
export function stamped<Event extends Written>(event: Event): Event {
  const known = storedType(event.type);
  return known ? { ...event, metadata: { ...event.metadata, schemaVersion: versionOf(known) } } : event;
}

function upcast({ upcasts }: StoredType, data: object, version: number): object {
  return upcasts.slice(version - 1).reduce<Readonly<Record<string, unknown>>>((older, toNext) => toNext(older), { ...data });
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
  return parsed.error.issues.map((issue) => ({ path: [root, ...issue.path].map(String).join('.'), expected: expectation(issue) }));
}

/** A library's own message may quote what it found. */
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
