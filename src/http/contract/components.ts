import { z } from 'zod';

/** Named schemas of the OpenAPI document, referenced by routes. */
export const COMPONENTS = z.registry<{ readonly id: string }>();

/** Registers schemas under their export names: `components({ JobView, JobsResponse })`. */
export function components(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, schema] of Object.entries(schemas)) COMPONENTS.add(schema, { id });
}
