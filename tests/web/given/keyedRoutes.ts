/**
 * The writes that the web app must give an Idempotency-Key: only with one are they answered once the lists show what
 * was written, and only with one is a secret not made twice. Taken from the text of the routes, since loading all of
 * them takes seconds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROUTES = join(import.meta.dirname, '../../../src/http/routes');

const declared = readdirSync(ROUTES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) =>
    readFileSync(join(ROUTES, name), 'utf8')
      .split(/\broute\(\{/)
      .slice(1),
  );

/** Such as 'POST /jobs/{jobId}/cancel'. */
export const KEYED_ROUTES: readonly string[] = declared
  .filter((text) => /^ {2}(?:answerMayLag|shownOnce):/m.test(text))
  .map((text) => `${/^ {2}method: '(\w+)'/m.exec(text)?.[1]} ${/^ {2}path: '([^']+)'/m.exec(text)?.[1]}`);

const patterns = KEYED_ROUTES.map(
  (route) => new RegExp(`^${route.replace(' ', ' /api(?:/v1)?').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
);

/** `route`: such as 'POST /api/v1/jobs/job-1/cancel'. */
export const needsKey = (route: string): boolean => patterns.some((pattern) => pattern.test(route));
