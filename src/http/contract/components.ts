import { z } from 'zod';

/** Schemas with a name of their own in the OpenAPI document, by which routes refer to them. */
export const COMPONENTS = z.registry<{ readonly id: string }>();

/** Names schemas as they are exported: `components({ JobView, JobsResponse })`. */
export function components(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, schema] of Object.entries(schemas)) COMPONENTS.add(schema, { id });
}
