/** Parameters by schema: what Stripe would reject is rejected, in its words. */
import * as z from 'zod';
import { type ApiError, invalid } from './apiError.ts';
import type { Form } from './form.ts';

export const text = z.string().min(1).max(5_000);
/** An empty string clears the value. */
export const clearable = z
  .string()
  .max(5_000)
  .transform((value) => (value === '' ? null : value));
export const whole = z
  .string()
  .regex(/^-?\d{1,15}$/, 'integer')
  .transform(Number);
export const decimal = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, 'decimal')
  .transform(Number);
export const yesNo = z.enum(['true', 'false']).transform((value) => value === 'true');
export const metadata = z.union([z.literal(''), z.record(z.string(), z.string())]);
/** An empty string is an empty list. */
export const listOf = <T extends z.ZodType>(item: T) => z.union([z.literal('').transform(() => []), z.array(item)]);
/** Accepted and ignored: it changes nothing that a sandbox shows. */
export const ignored = z.unknown().optional();

export const address = z.strictObject({
  line1: clearable.optional(),
  line2: clearable.optional(),
  city: clearable.optional(),
  state: clearable.optional(),
  postal_code: clearable.optional(),
  country: clearable.optional(),
});

/** A time, or a range of times. */
export const time = z.union([
  whole,
  z.strictObject({ gt: whole.optional(), gte: whole.optional(), lt: whole.optional(), lte: whole.optional() }),
]);

/** Parameters common to all lists. */
export const LIST = {
  limit: whole.pipe(z.number().min(1).max(100)).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
};

const nameOf = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');

/** Stripe's own message for an old parameter that *endive* removed. */
const GONE = 'payment_method_types';

function refusalOf(issue: z.core.$ZodIssue, given: Form): ApiError {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    if (param === GONE)
      return invalid(
        `The \`${GONE}\` parameter is no longer supported. Use \`allowed_payment_method_types\`.`,
        `${GONE}_no_longer_supported`,
        GONE,
      );
    return invalid(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
  }
  const inner = issue.code === 'invalid_union' ? issue.errors.flat().find((each) => each.path.length > 0) : undefined;
  if (inner) return refusalOf({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, given);
  const param = nameOf(issue.path);
  const value = issue.path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined),
    given,
  );
  if (value === undefined) return invalid(`Missing required param: ${param}.`, 'parameter_missing', param);
  if (issue.message === 'integer')
    return invalid(`Invalid integer: ${String(value)}`, 'parameter_invalid_integer', param);
  return invalid(
    `Invalid ${param}: ${typeof value === 'string' ? value : 'not of its form'}`,
    value === '' ? 'parameter_invalid_empty' : undefined,
    param,
  );
}

/** @throws ApiError */
export function readParams<T>(schema: z.ZodType<T>, form: Form): T {
  const read = schema.safeParse(form);
  if (read.success) return read.data;
  const issue = read.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? read.error.issues[0];
  throw issue ? refusalOf(issue, form) : invalid('Invalid request');
}
