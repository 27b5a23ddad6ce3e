/**
 * The code of every finding is applied to its site, which is then audited again: the finding is gone, and nothing is new,
 * worse, or lost. Then all code of a page at once, all of the site's files, and all that there is. `proofs.json` counts it per check, for the table in `docs/checks.md`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Proofs } from '../../../scripts/checksDocs.ts';
import type { Finding } from '../../../src/model/findings.ts';
import { inventedIn, saidBy } from '../../given/fixes/invented.ts';
import { disproof, together } from '../../given/fixes/proof.ts';
import { auditBytes, fixtureSite, folderSite, type GivenSite } from '../../given/fixes/siteBytes.ts';
import { SMALL_SITES } from '../../given/fixes/smallSites.ts';
import { available, DOC_SITES } from '../../given/requirements.ts';
import { siteNames } from '../../servers/siteServer.ts';

const PROOFS = new URL('proofs.json', import.meta.url);
const recorded: Proofs = JSON.parse(readFileSync(PROOFS, 'utf8'));
const counted: Record<string, Proofs[string]> = {};

async function disproofs(site: GivenSite): Promise<string[]> {
  const before = await auditBytes(site.start, site.bytes);
  const counts = new Map<string, { made: number; proved: number; without: number }>();
  const wrong: string[] = [];
  const said = saidBy(before);
  for (const finding of before.findings) {
    const count = counts.get(finding.checkId) ?? { made: 0, proved: 0, without: 0 };
    counts.set(finding.checkId, count);
    if (finding.code === null) {
      count.without += 1;
      continue;
    }
    count.made += 1;
    const invented = inventedIn(finding.code, said);
    if (invented.length > 0) wrong.push(`${finding.checkId} invents ${JSON.stringify(invented)}`);
    const why = await disproof(site, before, [finding]);
    if (why === null) count.proved += 1;
    else wrong.push(`${finding.checkId} on ${finding.evidence.url}: ${why}\n${finding.code}`);
  }
  for (const group of together(before.findings)) {
    const why = await disproof(site, before, group);
    if (why !== null) wrong.push(`All of ${group[0]?.evidence.url} (${checksOf(group)}): ${why}`);
  }
  counted[site.name] = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return wrong;
}

const checksOf = (findings: readonly Finding[]): string =>
  [...new Set(findings.map(({ checkId }) => checkId))].join(', ');

afterAll(() => {
  if (process.env.WRITE_PROOFS) writeFileSync(PROOFS, `${JSON.stringify({ ...recorded, ...counted }, null, 2)}\n`);
});

describe.each(siteNames())('code for the site %s', (name) => {
  test('does what it says, and no harm', async () => {
    expect(await disproofs(await fixtureSite(name))).toEqual([]);
    if (!process.env.WRITE_PROOFS) expect(counted[name]).toEqual(recorded[name]);
  });
});

test.each(SMALL_SITES)('code for the small site of $name does what it says, and no harm', async (site) => {
  expect(await disproofs(site)).toEqual([]);
  if (!process.env.WRITE_PROOFS) expect(counted[site.name]).toEqual(recorded[site.name]);
});

/** One by https, and one that has yet to move there. */
const DOCS = [
  ['jquery-mobile', 'https://docs.test'],
  ['yuidocjs', 'http://docs.test'],
] as const;
describe.skipIf(!available('two documentation sites', DOC_SITES))('code for the documentation of', () => {
  test.each(DOCS)(
    '%s does what it says, and no harm',
    async (name, origin) => {
      expect(await disproofs(folderSite(name, `${DOC_SITES}/${name}`, origin))).toEqual([]);
      if (!process.env.WRITE_PROOFS) expect(counted[name]).toEqual(recorded[name]);
    },
    300_000,
  );
});
