/** What a proof of an address ends, by how the address was proven earlier. */
import { expect, it } from 'vitest';
import { effectOfProof, type ProofEffect, type ProofKind } from '../../../src/domain/account/proof.ts';

const NOTHING: ProofEffect = { counts: true, endsSessions: false, endsSetUpBefore: null };
const INEFFECTIVE: ProofEffect = { ...NOTHING, counts: false };
const SESSIONS: ProofEffect = { ...NOTHING, endsSessions: true };
const BEFORE_THIS: ProofEffect = { ...SESSIONS, endsSetUpBefore: 'this_proof' };
const BEFORE_EARLIER: ProofEffect = { ...SESSIONS, endsSetUpBefore: 'earlier_proof' };

/** Rows: how it was proven earlier. Columns: how it is proven now. */
const TABLE: readonly (readonly [earlier: ProofKind | null, effects: Readonly<Record<ProofKind, ProofEffect>>])[] = [
  [
    null,
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: BEFORE_THIS,
      mail: BEFORE_THIS,
    },
  ],
  [
    'link',
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: BEFORE_EARLIER,
      mail: BEFORE_EARLIER,
    },
  ],
  [
    'unasked',
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: SESSIONS,
      mail: NOTHING,
    },
  ],
  [
    'session',
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: SESSIONS,
      mail: NOTHING,
    },
  ],
  [
    'password',
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: SESSIONS,
      mail: NOTHING,
    },
  ],
  [
    'mail',
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: SESSIONS,
      mail: NOTHING,
    },
  ],
  [
    'provider',
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: SESSIONS,
      mail: NOTHING,
    },
  ],
  [
    'reset',
    {
      unasked: NOTHING,
      link: INEFFECTIVE,
      session: NOTHING,
      password: NOTHING,
      provider: NOTHING,
      reset: SESSIONS,
      mail: NOTHING,
    },
  ],
];

it.each(
  TABLE.flatMap(([earlier, effects]) =>
    Object.entries(effects).map(([by, effect]) => [earlier, by as ProofKind, effect] as const),
  ),
)('after %s, a proof by %s', (earlier, by, effect) => {
  expect(effectOfProof(earlier, by)).toEqual(effect);
});
