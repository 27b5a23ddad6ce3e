/** What threads and processes can run, from source as well. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Code that registers the TypeScript loader, which neither threads nor processes inherit; '' for a module that needs
 * none.
 */
export function sourceLoader(entry: URL): string {
  if (!entry.pathname.endsWith('.ts')) return '';
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/index\.cjs$/, 'index.mjs'),
  ).href;
  return `import { register } from ${JSON.stringify(loader)}; register(); `;
}

/** The module as an entry point of a thread. */
export function runnable(entry: URL): URL {
  const loader = sourceLoader(entry);
  if (loader === '') return entry;
  return new URL(`data:text/javascript,${encodeURIComponent(`${loader}await import(${JSON.stringify(entry.href)});`)}`);
}
