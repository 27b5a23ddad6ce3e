/** The first step of `npm run docs`, a process of its own: the other steps load the list that it writes. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checksList } from './checksList.ts';

const root = new URL('../', import.meta.url);

writeFileSync(new URL('src/audit/checks/all.ts', root), checksList(fileURLToPath(root)));
