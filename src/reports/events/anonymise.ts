/**
 * Events without personal data: ids become pseudonyms that can still be joined on, sites are reduced to a pseudonym of
 * the host, and names, addresses and texts are removed. Anything missing from the table of field classes is left out.
 */
import { classifiedFields, type FieldClass } from '../../domain/stored/catalogue/fieldClasses.ts';
import { type StreamKind, streamKindOf } from '../../domain/stored/catalogue/streamKinds.ts';
import { REDACTED } from '../../domain/stored/redaction.ts';
import { STORED } from '../../domain/stored/registry.ts';
import type { ExportedEvent } from './exportedEvent.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Placeholders that show that a value was removed. */
export const PERSONAL = '[personal]';
export const TEXT = '[text]';

/**
 * A single internal word, such as `FETCH_FAILED`, `title-missing` or `2026-03`: not an address, a host name or a
 * sentence.
 */
const WORD = /^[\w-]{1,60}$/;
/** The name of one of the product's own actors (`audit`, `share-visits`): never an id or an address. */
const DUTY = /^[a-zA-Z]+(-[a-z]+)*$/;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** Field classes as a tree, by field name. */
type Node = { class: FieldClass | null; readonly fields: Map<string, Node> };

const TREES: ReadonlyMap<string, Node> = new Map(
  (Object.keys(STORED) as (keyof typeof STORED)[]).map((type) => [type, treeOf(type)]),
);

function treeOf(type: keyof typeof STORED): Node {
  const root: Node = { class: null, fields: new Map() };
  for (const field of classifiedFields(type)) {
    let node = root;
    for (const name of field.path.split('.')) {
      const inner: Node = node.fields.get(name) ?? { class: null, fields: new Map() };
      node.fields.set(name, inner);
      node = inner;
    }
    node.class = field.class;
  }
  return root;
}

export type Anonymiser = (event: ExportedEvent) => ExportedEvent;

export function createAnonymiser(pseudonyms: Pseudonyms): Anonymiser {
  const names = namesBy(pseudonyms);
  const { id } = pseudonyms;
  return (event) => {
    const tree = TREES.get(event.type);
    return {
      ...event,
      stream: names.stream(event.stream),
      id: id(event.id),
      // An unknown type could contain anything.
      type: tree ? event.type : PERSONAL,
      actor_id: names.actor(event.actor_kind, event.actor_id),
      on_behalf_of: event.on_behalf_of === null ? null : id(event.on_behalf_of),
      correlation_id: id(event.correlation_id),
      causation_id: id(event.causation_id),
      data: tree ? (anonymised(event.data as JsonObject, tree, names) as JsonObject) : {},
    };
  };
}

type Names = ReturnType<typeof namesBy>;

function namesBy({ id, host }: Pseudonyms) {
  const word = (text: string): string => (WORD.test(text) ? text : id(text));
  const ofStream = ({ kind, about, named }: StreamKind, rest: string): string => {
    if (about === null) return kind;
    if (named === 'word') return `${kind}-${word(rest)}`;
    const [first = '', ...more] = rest.split('-');
    return named === 'id' ? `${kind}-${id(rest)}` : `${kind}-${word(first)}-${id(more.join('-'))}`;
  };
  const actor = (kind: string, name: string): string =>
    ['worker', 'system', 'anonymous'].includes(kind) && DUTY.test(name) ? name : id(name);
  return {
    id,
    host,
    stream(name: string): string {
      const known = streamKindOf(name);
      return known ? ofStream(known.kind, known.rest) : id(name);
    },
    /** `user:{id}`, `system:operator`: how actors are named in event data. */
    named(text: string): string {
      const colon = text.indexOf(':');
      const kind = text.slice(0, Math.max(0, colon));
      return WORD.test(kind) ? `${kind}:${actor(kind, text.slice(colon + 1))}` : id(text);
    },
    actor,
    url(text: string): string {
      const url = URL.canParse(text) ? new URL(text) : null;
      return url !== null && url.host !== '' ? `${url.protocol}//${host(url.host)}/` : TEXT;
    },
  };
}

function anonymised(value: Json, node: Node, names: Names): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => anonymised(item, node, names));
  if (node.class === 'secret' && value !== null) return REDACTED;
  if (typeof value !== 'object' || value === null) return node.class === null ? null : plain(value, node.class, names);
  if (node.class !== null) return recordOf(value as JsonObject, node.class, names);
  const kept: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    const field = node.fields.get(name);
    if (field) kept[name] = anonymised(inner, field, names);
  }
  return kept;
}

/** A map of texts to texts: keys and values are both of the given class. */
function recordOf(value: JsonObject, fieldClass: FieldClass, names: Names): Json {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [plain(key, fieldClass, names), plain(inner, fieldClass, names)]),
  );
}

function plain(value: Json, fieldClass: FieldClass, names: Names): Json {
  if (value === null || fieldClass === 'safe' || fieldClass === 'own') return value;
  if (typeof value !== 'string') return TEXT;
  if (value === '') return '';
  switch (fieldClass) {
    case 'word':
      return WORD.test(value) ? value : TEXT;
    case 'id':
      return names.id(value);
    case 'stream':
      return names.stream(value);
    case 'actor':
      return names.named(value);
    case 'host':
      return names.host(value);
    case 'url':
      return names.url(value);
    case 'personal':
      return PERSONAL;
    case 'secret':
      return REDACTED;
    default:
      return TEXT;
  }
}
