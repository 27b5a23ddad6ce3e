import { describe, expect, it } from 'vitest';
import { eventExportDecider, isResumable } from '../../../src/domain/eventExport/eventExport.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(eventExportDecider);
const AT = '2026-03-10T12:00:00.000Z';
const made = { exportId: 'e', userId: 'ann', keyId: 'key', after: '1', upTo: '2', pseudonyms: 'abc' };
const exported = { type: 'EventsExported', data: { ...made, exportedAt: AT } } as const;

describe('an export of events', () => {
  it('is recorded once', () => {
    const record = { type: 'RecordEventExport', made, at: AT } as const;
    given().when(record).then(exported);
    given(exported).when(record).thenNothing();
  });

  it('is resumed for a day, by the same user with the same key', () => {
    const by = { userId: 'ann', keyId: 'key', at: '2026-03-11T11:59:59.999Z' };
    expect(isResumable(exported.data, by)).toBe(true);
    expect(isResumable(exported.data, { ...by, at: '2026-03-11T12:00:00.000Z' })).toBe(false);
    for (const other of [{ userId: 'bob' }, { keyId: 'other' }, { keyId: null }])
      expect(isResumable(exported.data, { ...by, ...other })).toBe(false);
  });
});
