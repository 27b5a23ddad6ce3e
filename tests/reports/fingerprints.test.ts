/**
 * The result of each report's fold over a fixed history. Saved states of a report are reused as long as its version
 * stays: a fold that gives another state for the same events without a new version would continue from states that it
 * would not have made.
 */
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { REPORTS } from '../../src/reports/all.ts';
import type { AnyReport } from '../../src/reports/report.ts';
import { FROZEN_EVENTS } from '../given/frozenEvents.ts';
import { HISTORY, historyOf } from '../given/reportHistory.ts';

/**
 * Version and fingerprint of each. If a fold was changed on purpose: raise its `version`, and copy the test's output
 * here.
 */
const FINGERPRINTS: Readonly<Record<string, string>> = {
  revenue: 'v3 d79953252da72c46',
  codes: 'v1 dc6b67c2d3c1d549',
  usage: 'v1 d421d009db70450a',
  funnel: 'v1 dd97cf1aebdea835',
  checkouts: 'v1 63b7a02e0776476d',
  logins: 'v1 567c423e45697946',
  cohorts: 'v2 61f63d335a245da6',
  previews: 'v1 d32ceb9418d27abb',
  completion: 'v2 f39c23ffe4a6e6d7',
  quality: 'v4 c08fed93fd9b8bf5',
  mails: 'v1 d2d477da0a482a4e',
  errors: 'v2 cedccbc6572a8713',
  reconciliation: 'v4 e2aa8d15a4946d29',
};

const own = (report: AnyReport) => HISTORY.filter(({ type }) => report.types.includes(type));
const folded = (report: AnyReport, events = own(report), state: unknown = report.initial()): unknown =>
  events.reduce(report.evolve, state);
const plain = (_: string, value: unknown): unknown =>
  value instanceof Map ? { map: [...value] } : value instanceof Set ? { set: [...value] } : value;
const textOf = (state: unknown): string => JSON.stringify(state, plain);

describe.each(REPORTS.map((report) => [report.name, report] as const))('the fold of %s', (name, report) => {
  it('gives the recorded result for its version', () => {
    const hash = createHash('sha256')
      .update(textOf(folded(report)))
      .digest('hex')
      .slice(0, 16);
    expect(own(report).length).toBeGreaterThan(4);
    expect(
      `v${report.version} ${hash}`,
      'If the fold has changed, raise its version, so that states of the one before are not gone on from. If only a sample in tests/stored/frozen that this report reads is new, copy the fingerprint.',
    ).toBe(FINGERPRINTS[name]);
  });

  it('needs id, stream and revision of an event only if it is not lean', () => {
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

it('an event that is new changes the time and place of no other', () => {
  const [first] = FROZEN_EVENTS;
  if (!first) expect.fail('There are samples.');
  const more = historyOf([{ ...first, type: 'AbandonedCart', sample: 'AbandonedCart.v1.json' }, ...FROZEN_EVENTS]);
  expect(more.length).toBe(HISTORY.length + 4);
  expect(more.filter(({ type }) => type !== 'AbandonedCart')).toEqual(HISTORY);
});
