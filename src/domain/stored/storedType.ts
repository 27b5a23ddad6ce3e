/** Definition of one stored event type: its current shape, its upcasts from older shapes, and its secret fields. */
import type * as z from 'zod';

/** Converts one version to the next. Pure and total: it never throws, whatever an event of that version contains. */
export type Upcast = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

export type StoredType<Data extends object = object> = {
  /** Of the current version. */
  readonly schema: z.ZodType<Data>;
  /** Ids used as keys by read models and streams: checked on every read. */
  readonly ids: readonly string[];
  /** `upcasts[0]` converts version 1 to version 2, and so on. */
  readonly upcasts: readonly Upcast[];
  /** Paths that only the product itself may see: `passwordHash`, `former.secret`. */
  readonly secret: readonly string[];
};

/** One entry per type of an event union. */
export type StoredTypes<Event extends { readonly type: string; readonly data: object }> = {
  readonly [Type in Event['type']]: StoredType<Extract<Event, { readonly type: Type }>['data']>;
};

type More = { readonly upcasts?: readonly Upcast[]; readonly secret?: readonly string[] };

/** A stored event type. `ids` are data fields that hold non-empty strings. */
export function stored<Data extends object>(schema: z.ZodType<Data>, ids: readonly (keyof Data & string)[], more: More = {}) {
  return { schema, ids, upcasts: more.upcasts ?? [], secret: more.secret ?? [] };
}

/** Versions count from 1. */
export const versionOf = ({ upcasts }: Pick<StoredType, 'upcasts'>): number => upcasts.length + 1;
