/**
 * The result of each report's fold over a fixed history. Saved states of a report are reused as long as its version stays: a fold that gives another
 * state for the same events without a new version would continue from states that it would not have made.
 */
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { REPORTS } from '../../src/reports/all.ts';
import type { AnyReport } from '../../src/reports/report.ts';
import { HISTORY } from '../given/reportHistory.ts';

/** Version and fingerprint of each. If a fold was changed on purpose: raise its `version`, and copy the test's output here. */
const FINGERPRINTS: Readonly<Record<string, string>> = {
  revenue: 'v2 bf13bbaacb25c5e7',
  usage: 'v1 fc376036fec34bb5',
  funnel: 'v1 0df99c5180dd6207',
  logins: 'v1 567c423e45697946',
  cohorts: 'v1 8e019faeb3aa8396',
  previews: 'v1 d32ceb9418d27abb',
  completion: 'v1 f7a62c1773e5eff1',
  quality: 'v2 f2683eaa7e6450b4',
  mails: 'v1 35487283adfb2aac',
  errors: 'v1 5324e34985ab5cea',
  payouts: 'v3 937140ca5b5329eb',
};

const own = (report: AnyReport) => HISTORY.filter(({ type }) => report.types.includes(type));
const folded = (report: AnyReport, events = own(report), state: unknown = report.initial()): unknown => events.reduce(report.evolve, state);
const plain = (_: string, value: unknown): unknown => (value instanceof Map ? { map: [...value] } : value instanceof Set ? { set: [...value] } : value);
const textOf = (state: unknown): string => JSON.stringify(state, plain);

describe.each(REPORTS.map((report) => [report.name, report] as const))('the fold of %s', (name, report) => {
  it('gives the same result for this version', () => {
    const hash = createHash('sha256')
      .update(textOf(folded(report)))
      .digest('hex')
      .slice(0, 16);
    expect(own(report).length).toBeGreaterThan(4);
    expect(`v${report.version} ${hash}`, 'The fold has changed: raise its version, so that states of the one before are not gone on from.').toBe(
      FINGERPRINTS[name],
    );
  });

  it('uses only what is read for it', () => {
    const scanned = own(report).map(({ id, stream, revision, ...rest }) => rest as RecordedEvent);
    expect(textOf(folded(report, report.lean ? scanned : own(report)))).toBe(textOf(folded(report)));
  });

  it('continues from a saved state as from its own, wherever it was saved', () => {
    const whole = textOf(folded(report));
    const events = own(report);
    for (let at = 0; at <= events.length; at += 1) {
      const saved: unknown = deserialize(serialize(folded(report, events.slice(0, at))));
      expect(textOf(folded(report, events.slice(at), saved))).toBe(whole);
    }
  });
});
