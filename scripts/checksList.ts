/** The list of all checks as a module: every file in the folders of the categories is one check. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATEGORIES } from '../src/model/findings.ts';
import { filesUnder } from './filesUnder.ts';

const FOLDER = 'src/audit/checks';

/**
 * The text of `src/audit/checks/all.ts`, in the order of the paths.
 * @throws if a file has no check, or more than one
 */
export function checksList(root: string): string {
  const checks = [...CATEGORIES]
    .sort()
    .flatMap((category) =>
      filesUnder(root, `${FOLDER}/${category}`).map((file) => ({ file, name: checkIn(root, file) })),
    );
  const lines = [
    '/** The checks of all categories, in the order of their files. Made from the folders by `npm run docs`; do not edit it by hand. */',
    "import type { Check } from './check.ts';",
    ...checks.map(({ file, name }) => `import { ${name} } from '.${file.slice(FOLDER.length)}';`),
    '',
    'export const ALL_CHECKS: readonly Check[] = [',
    ...checks.map(({ name }) => `  ${name},`),
    '];',
  ];
  return `${lines.join('\n')}\n`;
}

function checkIn(root: string, file: string): string {
  const [name, ...others] = [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^export const (\w+) = (?:page|answer|site)Check\(/gm),
  ].map((match) => match[1]);
  if (name === undefined || others.length > 0)
    throw new Error(`${file} must export exactly one check, made by pageCheck, answerCheck or siteCheck`);
  return name;
}
