/** What a thread can run, from source as well. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** When run from source, a thread has to register the TypeScript loader: it does not inherit the main thread's. */
export function runnable(entry: URL): URL {
  if (!entry.pathname.endsWith('.ts')) return entry;
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/index\.cjs$/, 'index.mjs'),
  ).href;
  const code = `import { register } from ${JSON.stringify(loader)}; register(); await import(${JSON.stringify(entry.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
