/** What a proof of an address ends, by how the address was proven earlier. */
import { expect, it } from 'vitest';
import { effectOfProof, type ProofEffect, type ProofKind } from '../../../src/domain/account/proof.ts';

const NOTHING: ProofEffect = { counts: true, endsSessions: false, endsSetUpBefore: null };
const INEFFECTIVE: ProofEffect = { ...NOTHING, counts: false };
const SESSIONS: ProofEffect = { ...NOTHING, endsSessions: true };
const BEFORE_THIS: ProofEffect = { ...SESSIONS, endsSetUpBefore: 'this_proof' };
const BEFORE_EARLIER: ProofEffect = { ...SESSIONS, endsSetUpBefore: 'earlier_proof' };

/** Whatever came before. */
const ALWAYS = {
  unasked: NOTHING,
  link: INEFFECTIVE,
  session: NOTHING,
  password: NOTHING,
  provider: NOTHING,
};
const BY_THE_OWNER = { ...ALWAYS, reset: SESSIONS, mail: NOTHING };

/** Rows: how it was proven earlier. Columns: how it is proven now. */
const TABLE: readonly (readonly [earlier: ProofKind | null, effects: Readonly<Record<ProofKind, ProofEffect>>])[] = [
  [null, { ...ALWAYS, reset: BEFORE_THIS, mail: BEFORE_THIS }],
  ['link', { ...ALWAYS, reset: BEFORE_EARLIER, mail: BEFORE_EARLIER }],
  ...(['unasked', 'session', 'password', 'provider', 'mail', 'reset'] as const).map(
    (earlier) => [earlier, BY_THE_OWNER] as const,
  ),
];

it.each(
  TABLE.flatMap(([earlier, effects]) =>
    Object.entries(effects).map(([by, effect]) => [earlier, by as ProofKind, effect] as const),
  ),
)('after %s, a proof by %s', (earlier, by, effect) => {
  expect(effectOfProof(earlier, by)).toEqual(effect);
});
