import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path);

/** Paths of the TypeScript files in a folder of the tree, from its root. */
export function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isTypeScript(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
