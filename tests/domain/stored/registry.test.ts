import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type { ProductEvent } from '../../../src/domain/eventTypes.ts';
import { EVENT_TYPES } from '../../../src/domain/eventTypes.ts';
import { REDACTED, redacted } from '../../../src/domain/stored/redaction.ts';
import { STORED } from '../../../src/domain/stored/registry.ts';

describe('the registry of stored events', () => {
  it('has the types of the domain’s events and no others', () => {
    expectTypeOf<keyof typeof STORED>().toEqualTypeOf<ProductEvent['type']>();
    expect(EVENT_TYPES).toEqual(Object.keys(STORED));
  });

  it('hides secrets from readers of events', () => {
    const former = { secret: 's2', until: '2026-01-01T00:00:00.000Z' };
    const rotated = { endpointId: 'e', secret: 's1', former, rotatedAt: '2026-01-01T00:00:00.000Z' };
    expect(redacted('WebhookSecretRotated', rotated)).toEqual({
      ...rotated,
      secret: REDACTED,
      former: { ...former, secret: REDACTED },
    });
    expect(redacted('WebhookSecretRotated', { ...rotated, former: null })).toEqual({
      ...rotated,
      secret: REDACTED,
      former: null,
    });
    expect(redacted('NotKnown', { password: 'x' })).toEqual({});
  });

  it('lists every field marked as a secret', () => {
    const suspects = Object.entries(STORED).flatMap(([type, { schema, secret }]) =>
      pathsOf(schema)
        .filter((path) => /(hash|secret|token)$/i.test(path) && !secret.some((known) => known === path))
        .map((path) => `${type}.${path}`),
    );
    expect(suspects).toEqual([]);
    const unknown = Object.entries(STORED).flatMap(([type, { schema, secret }]) =>
      secret.filter((path) => !pathsOf(schema).includes(path)).map((path) => `${type}.${path}`),
    );
    expect(unknown).toEqual([]);
  });
});

/** Of all fields, however deep: `former.secret`. */
function pathsOf(schema: z.ZodType): readonly string[] {
  const inner = schema as unknown as {
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly def: { readonly innerType?: z.ZodType; readonly options?: readonly z.ZodType[] };
  };
  if (inner.shape)
    return Object.entries(inner.shape).flatMap(([name, field]) => [
      name,
      ...pathsOf(field).map((path) => `${name}.${path}`),
    ]);
  if (inner.def.options) return inner.def.options.flatMap(pathsOf);
  return inner.def.innerType ? pathsOf(inner.def.innerType) : [];
}
