/** How one event type is stored: its current schema, the conversions from its older shapes, and its secret fields. */
import type * as z from 'zod';
import type { EventSchemas } from '../eventSchemas.ts';

/** Converts one version to the next. Pure and total: it never throws, whatever an event of that version contains. */
export type Upcast = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** For a version that only added optional fields: older events lack them. */
export const unchanged: Upcast = (data) => data;

export type StoredType = {
  /** Of the current version. */
  readonly schema: z.ZodType<object>;
  /** Ids used as keys by read models and streams: fields that hold non-empty strings, checked on every read. */
  readonly ids: readonly string[];
  /** `upcasts[0]` converts version 1 to version 2, and so on. */
  readonly upcasts: readonly Upcast[];
  /** Paths that only the product itself may see: `passwordHash`, `former.secret`. */
  readonly secret: readonly string[];
};

type FieldOf<Schema extends z.ZodType> =
  z.output<Schema> extends infer Data ? (Data extends object ? keyof Data & string : never) : never;
type More<Field extends string> = {
  readonly ids?: readonly Field[];
  readonly upcasts?: readonly Upcast[];
  readonly secret?: readonly string[];
};

/**
 * How the events of a stream are stored: by default as version 1, with the given `ids` and no secrets; `more` names the
 * types that differ, with all their ids.
 */
export function stored<Schemas extends EventSchemas>(
  schemas: Schemas,
  ids: readonly FieldOf<Schemas[keyof Schemas]>[],
  more: { readonly [Type in keyof Schemas]?: More<FieldOf<Schemas[Type]>> } = {},
): { readonly [Type in keyof Schemas]: StoredType } {
  const particular: Readonly<Record<string, More<string> | undefined>> = more;
  const types = Object.entries(schemas).map(([type, schema]) => {
    const own = particular[type] ?? {};
    return [type, { schema, ids: own.ids ?? ids, upcasts: own.upcasts ?? [], secret: own.secret ?? [] }];
  });
  return Object.fromEntries(types) as { readonly [Type in keyof Schemas]: StoredType };
}

/** Versions count from 1. */
export const versionOf = ({ upcasts }: Pick<StoredType, 'upcasts'>): number => upcasts.length + 1;
