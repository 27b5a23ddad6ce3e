import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checksPage } from '../../scripts/checksDocs.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import { findingsJsonSchema } from '../../src/audit/report/findingsFormat.ts';

test('docs/checks.md is up to date (npm run docs)', () => {
  expect(readFileSync(new URL('../../docs/checks.md', import.meta.url), 'utf8')).toBe(checksPage(CHECKS));
});

test('lists each check once', () => {
  const page = checksPage(CHECKS);
  expect(CHECKS.length).toBeGreaterThan(60);
  for (const check of CHECKS) expect(page.split(`#### \`${check.id}\``)).toHaveLength(2);
});

test('docs/findings.schema.json is up to date (npm run docs)', () => {
  const published = JSON.parse(readFileSync(new URL('../../docs/findings.schema.json', import.meta.url), 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(findingsJsonSchema())));
});
