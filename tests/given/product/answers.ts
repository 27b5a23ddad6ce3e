/**
 * Holds every answer to its route's contract: nothing missing, nothing of another kind, and nothing that the contract
 * does not name.
 */
import type * as z from 'zod';
import { ROUTES } from '../../../src/http/routes/all.ts';
import type { AnyRoute } from '../../../src/http/routing/route.ts';

const ROUTED = ROUTES.filter(({ sendsFiles }) => !sendsFiles).map((route) => ({
  route,
  path: new RegExp(`^/(?:api/v1/)?${route.path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** A path of letters wins over one with a parameter. */
function routeOf(method: string, path: string): AnyRoute | undefined {
  const fitting = ROUTED.filter(({ route, path: fits }) => route.method === method && fits.test(path)).map(
    ({ route }) => route,
  );
  return fitting.sort((a, b) => placeholders(a) - placeholders(b))[0];
}
const placeholders = ({ path }: AnyRoute): number => path.split('{').length;

/** Problems of a successful JSON answer; empty if it is as the contract says, or if no route of the API gave it. */
export function problemsOfAnswer(method: string, url: string, status: number, body: unknown): readonly string[] {
  const { pathname } = new URL(url, 'http://localhost');
  const route = routeOf(method, pathname);
  if (!route || status !== (route.status ?? 200)) return [];
  const where = `${method} ${route.path}`;
  const read = route.response.safeParse(body);
  if (!read.success)
    return read.error.issues.map(
      ({ path, message }: z.core.$ZodIssue) => `${where}: ${path.map(String).join('.')}: ${message}`,
    );
  return unnamed(body, read.data, '').map((path) => `${where}: ${path} is not in the contract`);
}

/** Paths in `value` that reading it by the contract left out. */
function unnamed(value: unknown, read: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null || typeof read !== 'object' || read === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name in read
      ? unnamed(field, (read as Readonly<Record<string, unknown>>)[name], `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

/** @throws Error with all problems of the answer */
export function checkAnswer(method: string, url: string, status: number, body: unknown): void {
  const problems = problemsOfAnswer(method, url, status, body);
  if (problems.length > 0) throw new Error(`This answer is not what its contract says:\n${problems.join('\n')}`);
}
