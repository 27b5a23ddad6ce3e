/**
 * `npm run docs`, after the list of checks: writes what is made from the code: the catalogues of checks and of events,
 * and the settings (docs/settings.md, .env.example).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHECKS } from '../src/audit/checks/index.ts';
import { findingsJsonSchema } from '../src/audit/report/findingsFormat.ts';
import { checksPage } from './checksDocs.ts';
import { eventFacts, eventsPage } from './eventsDocs.ts';
import { envExample, settingsPage } from './settingsDocs.ts';

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

const proofs = JSON.parse(readFileSync(at('tests/audit/fixes/proofs.json'), 'utf8'));
writeFileSync(at('docs/checks.md'), checksPage(CHECKS, proofs));
writeFileSync(
  at('docs/events.md'),
  eventsPage(await eventFacts(fileURLToPath(at(''))), fileURLToPath(at('tests/stored/frozen'))),
);
writeFileSync(at('docs/findings.schema.json'), `${JSON.stringify(findingsJsonSchema(), null, 2)}\n`);
writeFileSync(at('.env.example'), envExample());
writeFileSync(at('docs/settings.md'), settingsPage());
