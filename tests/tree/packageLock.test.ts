/**
 * The lock file names the packages of every platform. Beside installed packages npm may leave out those of other
 * platforms when it writes the file, and `npm ci` refuses it then: remove `node_modules` and the file's changes, and
 * install again.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Locked = { readonly optionalDependencies?: Readonly<Record<string, string>> };

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Node's search: in the package's own folder first, then in those above it. */
function isLocked(path: string, name: string): boolean {
  if (packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`]) return true;
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

test('every optional package is locked', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});
