import { describe, expect, it } from 'vitest';
import { identityDecider } from '../../../src/domain/installation/identity.ts';
import { specOf } from '../../given/decider.ts';

const at = '2026-11-28T12:00:00.000Z';
const identified = (installationId: string) =>
  ({ type: 'InstallationIdentified', data: { installationId, identifiedAt: at } }) as const;
const recorded = (fingerprint: string, installationId = 'one') =>
  ({ type: 'InstallationKeyRecorded', data: { installationId, key: 'shares', fingerprint, recordedAt: at } }) as const;
const identify = (installationId: string, instead: string | null = null) =>
  ({ type: 'Identify', installationId, instead, at }) as const;
const record = (fingerprint: string, isFirst = true) =>
  ({ type: 'RecordKey', key: 'shares', fingerprint, isFirst, at }) as const;

describe('the identity of an installation', () => {
  const given = specOf(identityDecider);

  it('is that of the first process to write one', () => {
    given().when(identify('one')).then(identified('one'));
    given(identified('one')).when(identify('two')).thenNothing();
  });

  it('is replaced once, if it is the one that was given up', () => {
    given(identified('one')).when(identify('two', 'one')).then(identified('two'));
    given(identified('one'), identified('two')).when(identify('three', 'one')).thenNothing();
    given().when(identify('two', 'one')).thenNothing();
  });

  it('knows its keys: the first one in the settings, and every one in a file', () => {
    given(identified('one')).when(record('a')).then(recorded('a'));
    given(identified('one'), recorded('a')).when(record('a')).thenNothing();
    given(identified('one'), recorded('a')).when(record('b')).thenNothing();
    given(identified('one'), recorded('a')).when(record('b', false)).then(recorded('b'));
    given().when(record('a')).thenNothing();
  });

  it('forgets the keys of an identity that was given up', () => {
    given(identified('one'), recorded('a'), identified('two')).when(record('b')).then(recorded('b', 'two'));
    const state = [identified('one'), recorded('a'), recorded('b')].reduce(
      identityDecider.evolve,
      identityDecider.initialState(),
    );
    expect(state).toEqual({ installationId: 'one', fingerprints: { shares: ['a', 'b'], second_factors: [] } });
  });
});
