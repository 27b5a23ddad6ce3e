/**
 * The modules that a start loads before it can serve: each costs part of a millisecond. Modules needed by some, or
 * later, are imported where they are needed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** With the imported names; type imports load nothing. */
const STATIC = /^(?:import\s(?!type\s)([^'"]*?)(?:from\s)?|export\s(?!type\s)[^'"]*?from\s)['"]([^'"]+)['"]/gms;
const isOfTypes = (names: string): boolean => /^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*$/.test(names);

/** Our files and the packages loaded with `entry`. */
function loadedWith(entry: string): { readonly files: readonly string[]; readonly packages: ReadonlySet<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, names = '', specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
      if (isOfTypes(names)) continue;
      const found = resolve(dirname(file), specifier);
      if (!specifier.startsWith('.')) packages.add(specifier);
      else if (found.endsWith('.ts') && existsSync(found)) files.add(found);
    }
  }
  return { files: [...files].map((file) => relative(root, file)), packages };
}

test('a start loads no checks, no sandbox and no library that may not be used', () => {
  const { files, packages } = loadedWith(join(root, 'src/start/program.ts'));
  expect(files).toContain('src/http/server/app.ts');
  expect(packages).toContain('koa');
  expect(
    files.filter((file) =>
      /^src\/(?:audit\/checks\/(?:\w+Checks|index|runChecks)|audit\/crawl\/crawlSite|paymentSandbox\/|eventStore\/eventStoreDb\/)/.test(
        file,
      ),
    ),
  ).toEqual([]);
  expect(
    [
      'stripe',
      'openai',
      'nodemailer',
      'playwright-core',
      'mongodb',
      '@eventstore/db-client',
      'parse5',
      '@simplewebauthn/server',
      '@modelcontextprotocol/server',
      '@resvg/resvg-js',
    ].filter((name) => packages.has(name)),
  ).toEqual([]);
});

test('zod is imported as a namespace: with `{ z }`, a bundle has its messages in forty languages', () => {
  const sources = ['src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const importing = sources.filter(
    (file) => /\.tsx?$/.test(file) && /from 'zod'/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(importing.length).toBeGreaterThan(100);
  expect(
    importing.filter((file) => !/import (?:type )?\* as z from 'zod'/.test(readFileSync(join(root, file), 'utf8'))),
  ).toEqual([]);
});
