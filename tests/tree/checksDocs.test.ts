import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checksPage } from '../../scripts/checksDocs.ts';
import { checksList } from '../../scripts/checksList.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import { findingsJsonSchema } from '../../src/audit/report/findingsFormat.ts';

const PROOFS = JSON.parse(readFileSync(new URL('../audit/fixes/proofs.json', import.meta.url), 'utf8'));

test('src/audit/checks/all.ts is up to date (npm run docs)', () => {
  const root = new URL('../../', import.meta.url);
  expect(readFileSync(new URL('src/audit/checks/all.ts', root), 'utf8')).toBe(checksList(fileURLToPath(root)));
});

test('docs/checks.md is up to date (npm run docs)', () => {
  expect(readFileSync(new URL('../../docs/checks.md', import.meta.url), 'utf8')).toBe(checksPage(CHECKS, PROOFS));
});

test('docs/checks.md lists each check once', () => {
  const page = checksPage(CHECKS, PROOFS);
  expect(CHECKS.length).toBeGreaterThan(60);
  for (const check of CHECKS) expect(page.split(`#### \`${check.id}\``)).toHaveLength(2);
});

test('docs/findings.schema.json is up to date (npm run docs)', () => {
  const published = JSON.parse(readFileSync(new URL('../../docs/findings.schema.json', import.meta.url), 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(findingsJsonSchema())));
});
