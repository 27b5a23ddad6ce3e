/**
 * Requirements of some tests beyond the package: if missing, the tests are skipped with a message; with
 * TEST_REQUIRE_ALL they fail.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Debian's headless shell, if there: the same engine without the browser's own windows, which takes a quarter less
 * time.
 */
export const CHROMIUM =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  '/usr/bin/chromium';
export const PYTHON_DOCS = '/usr/share/doc/python3.11/html';
/** Fetched by `scripts/fetchMongod.sh`. */
export const MONGOD = fileURLToPath(new URL('../servers/mongod/bin/mongod', import.meta.url));

/** Fetched by `scripts/fetchDocSites.sh`. */
export const DOC_SITES = fileURLToPath(new URL('../servers/docSites', import.meta.url));

/** Fetched by `scripts/fetchSchemathesis.sh`. */
export const SCHEMATHESIS = fileURLToPath(new URL('../servers/schemathesis', import.meta.url));

/** Fetched by `scripts/fetchConformance.sh`. */
export const CONFORMANCE = fileURLToPath(new URL('../../.tools/conformance', import.meta.url));

/** True when `path` exists. Otherwise throws if everything is required. */
export function available(what: string, path: string): boolean {
  if (existsSync(path)) return true;
  if (process.env.TEST_REQUIRE_ALL) throw new Error(`${what} is required and was not found at ${path}`);
  process.stderr.write(`skipped: ${what} was not found at ${path}\n`);
  return false;
}
