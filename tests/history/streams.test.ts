import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../../scripts/filesUnder.ts';
import { EVENT_TYPES } from '../../src/domain/eventTypes.ts';
import { REDACTED } from '../../src/domain/stored/redaction.ts';
import { STORED } from '../../src/domain/stored/registry.ts';
import { TALLY_KINDS } from '../../src/domain/tally/events.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { hidden } from '../../src/history/differences.ts';
import { history } from '../../src/history/history.ts';
import { kindOf, STREAM_KINDS, secretFields } from '../../src/history/streams.ts';
import { FROZEN_EVENTS } from '../given/frozenEvents.ts';

const root = new URL('../..', import.meta.url).pathname;

/** The prefixes of the domain's streams. */
const prefixesInCode = filesUnder(root, 'src/domain').flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/Stream = \([^)]*\)(?:: string)? => `([a-z-]+-)\$\{/g)].map((match) => match[1] ?? '');
});

describe('kinds of streams', () => {
  it('are known for every stream that the code names', () => {
    expect(prefixesInCode.length).toBeGreaterThan(25);
    const known = STREAM_KINDS.map(({ prefix }) => prefix);
    // Those of tallies are put together from their kinds.
    const tallies = TALLY_KINDS.map((kind) => `${kind}-`);
    const others = ['installation', 'identity-', 'rule-', 'pseudonym-key'];
    expect([...prefixesInCode, ...tallies, ...others].sort()).toEqual([...known].sort());
  });

  it('cover every type of event once', () => {
    const types = STREAM_KINDS.flatMap((kind) => Object.keys(kind.types));
    expect(types.sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('distinguish streams with similar names', () => {
    const prefixOf = (stream: string) => kindOf(stream)?.kind.prefix;
    expect(
      ['job-1', 'job-deletions-1', 'webhook-delivery-1', 'delivery-1', 'shares-1', 'share-visits-1'].map(prefixOf),
    ).toEqual(['job-', 'job-deletions-', 'webhook-delivery-', 'delivery-', 'shares-', 'share-visits-']);
    expect(kindOf('job-1')?.id).toBe('1');
    expect([kindOf('job-'), kindOf('installation-1'), kindOf('unknown-1')]).toEqual([null, null, null]);
    expect(kindOf('installation')?.id).toBe('');
  });
});

const PLANTED = 'planted-secret';
let planted = 0;

/** The event with a searchable text in each of its secrets. */
function withPlanted(data: object, paths: readonly string[]): object {
  const copy = structuredClone(data) as Record<string, unknown>;
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place: Record<string, unknown> | null = copy;
    for (const name of names) place = (place?.[name] as Record<string, unknown> | undefined) ?? null;
    if (!place) continue;
    planted += 1;
    const secret = `${PLANTED}-${planted}`;
    place[last] = Array.isArray(place[last]) ? [secret, `${secret}-too`] : secret;
  }
  return copy;
}

describe('secrets', () => {
  it.each(STREAM_KINDS.map((kind) => [kind.prefix, kind] as const))(
    'of %s are in no state and in no difference',
    (_, kind) => {
      const samples = FROZEN_EVENTS.filter(({ type }) => type in kind.types);
      // Each type after each other one, so that every secret may be carried over.
      const sequence = samples.flatMap((sample) => [...samples.filter((other) => other !== sample), sample, sample]);
      const events = [...samples, ...sequence].map(({ id, type, data, metadata }, revision): RecordedEvent => {
        const { secret } = STORED[type as keyof typeof STORED];
        return {
          id,
          type,
          data: withPlanted(data, secret),
          metadata,
          stream: `${kind.prefix}1`,
          revision: BigInt(revision),
          position: String(revision).padStart(20, '0'),
        };
      });
      const fields = secretFields(kind);
      expect(JSON.stringify(events.map(({ data }) => data)).includes(PLANTED)).toBe(
        Object.values(kind.types).some(({ secret }) => secret.length > 0),
      );
      if (!kind.initial) return;
      for (const { before, after, event, differences } of history(kind.initial, events, fields)) {
        expect([event.type, JSON.stringify(differences()).includes(PLANTED)]).toEqual([event.type, false]);
        for (const state of [before, after])
          expect([event.type, JSON.stringify(hidden(state.shown(), fields)) ?? '']).toEqual([
            event.type,
            expect.not.stringContaining(PLANTED),
          ]);
      }
    },
  );

  it('that changed are mentioned, not shown', () => {
    const account = kindOf('account-1')?.kind;
    const registered = FROZEN_EVENTS.find(({ type }) => type === 'AccountRegistered');
    const changed = FROZEN_EVENTS.find(({ type }) => type === 'AccountPasswordChanged');
    if (!account?.initial || !registered || !changed) throw new Error('There are no such samples.');
    const events = [registered, changed].map((event, revision) => ({
      ...event,
      stream: 'account-1',
      revision: BigInt(revision),
      position: '0',
    }));
    const steps = [...history(account.initial, events, secretFields(account))];
    expect(steps[1]?.differences().changes).toContainEqual({
      path: ['passwordHash'],
      before: REDACTED,
      after: REDACTED,
    });
  });
});
