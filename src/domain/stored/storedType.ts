/** What is known of one type of stored event: its present shape, how older shapes become it, and what of it is secret. */
import type { z } from 'zod';

/** From one version to the next. Pure and total: it never throws, whatever an event of that version holds. */
export type Upcast = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

export type StoredType<Data extends object = object> = {
  /** Of the present version. */
  readonly schema: z.ZodType<Data>;
  /** Ids by which read models and streams are found: looked at on every read. */
  readonly ids: readonly string[];
  /** `upcasts[0]` makes version 2 of version 1, and so on. */
  readonly upcasts: readonly Upcast[];
  /** Paths that nobody but the product itself may see: `passwordHash`, `former.secret`. */
  readonly secret: readonly string[];
};

/** One entry for each type of a union of events. */
export type StoredTypes<Event extends { readonly type: string; readonly data: object }> = {
  readonly [Type in Event['type']]: StoredType<Extract<Event, { readonly type: Type }>['data']>;
};

type More = { readonly upcasts?: readonly Upcast[]; readonly secret?: readonly string[] };

/** A type of stored event. `ids` are fields of its data that hold non-empty strings. */
export function stored<Data extends object>(schema: z.ZodType<Data>, ids: readonly (keyof Data & string)[], more: More = {}) {
  return { schema, ids, upcasts: more.upcasts ?? [], secret: more.secret ?? [] };
}

/** Versions count from 1. */
export const versionOf = ({ upcasts }: Pick<StoredType, 'upcasts'>): number => upcasts.length + 1;
