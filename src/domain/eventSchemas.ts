/**
 * How events are declared: an `events.ts` per subject maps each type to the schema of its data, and the types follow
 * from it. What is declared here is a storage format: events are kept forever. Versions, conversions from older shapes,
 * and secret fields are in `stored/`.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../model/deepReadonly.ts';

export const id = z.string().min(1);
/** UTC ISO, in the format of `toISOString`. */
export const at = z.iso.datetime();
export const count = z.int().nonnegative();

/** The schema of each type's data. */
export type EventSchemas = Readonly<Record<string, z.ZodType<object>>>;

/** A value that such a schema describes. */
export type Infer<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

/** The union of the declared events. */
export type EventIn<Schemas extends EventSchemas> = {
  readonly [Type in keyof Schemas & string]: { readonly type: Type; readonly data: Infer<Schemas[Type]> };
}[keyof Schemas & string];
