/** One API endpoint, as data. */
import type * as z from 'zod';
import type { SandboxContext } from '../books/context.ts';
import type { Form } from './form.ts';
import { readParams } from './params.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

export type Route = {
  readonly method: Method;
  /** `:id` matches one segment. */
  readonly path: string;
  /** Also for a browser with the publishable key and the object's client secret. */
  readonly open: boolean;
  /** Parameters are validated first; such an error is not stored under an idempotency key. */
  readonly prepare: (form: Form) => (context: SandboxContext, id: string, more: string) => object;
};

type Given<T> = {
  readonly method: Method;
  readonly path: string;
  readonly params: z.ZodType<T>;
  readonly open?: boolean;
  readonly run: (context: SandboxContext, params: T, id: string, more: string) => object;
};

/** A route with validated parameters. `id` and `more` are the variable segments of the path. */
export function route<T>({ method, path, params, open = false, run }: Given<T>): Route {
  return {
    method,
    path,
    open,
    prepare: (form) => {
      const read = readParams(params, form);
      return (context, id, more) => run(context, read, id, more);
    },
  };
}

export type Match = { readonly route: Route; readonly id: string; readonly more: string };

/** The route of a path; literal segments before ids. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match | null {
  const parts = path.split('/');
  const fitting = routes
    .filter((each) => each.method === method)
    .map((each) => ({ each, names: each.path.split('/') }))
    .filter(
      ({ names }) =>
        names.length === parts.length &&
        names.every((name, index) => (name.startsWith(':') ? parts[index] !== '' : name === parts[index])),
    )
    .sort((one, other) => one.each.path.split(':').length - other.each.path.split(':').length)[0];
  if (!fitting) return null;
  const ids = fitting.names.flatMap((name, index) =>
    name.startsWith(':') ? [decodeURIComponent(parts[index] ?? '')] : [],
  );
  return { route: fitting.each, id: ids[0] ?? '', more: ids[1] ?? '' };
}
