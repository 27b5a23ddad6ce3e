/** Hides secrets from anyone who views stored events, including admins: password hashes, tokens, secrets. */
import { storedType } from './registry.ts';

export const REDACTED = '[redacted]';

/** The event's data without its secret fields. For an unknown type, nothing is shown. */
export function redacted(type: string, data: object): Readonly<Record<string, unknown>> {
  const known = storedType(type);
  if (!known) return {};
  return known.secret.reduce<Readonly<Record<string, unknown>>>((shown, path) => without(shown, path.split('.')), {
    ...data,
  });
}

function without(
  data: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
): Readonly<Record<string, unknown>> {
  const value = data[name];
  if (value === undefined || value === null) return data;
  if (rest.length === 0) return { ...data, [name]: REDACTED };
  return typeof value === 'object' ? { ...data, [name]: without({ ...value }, rest) } : data;
}
