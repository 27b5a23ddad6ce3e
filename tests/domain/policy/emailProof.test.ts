import { describe, expect, it } from 'vitest';
import { type ProofRule, proofDemand } from '../../../src/domain/policy/emailProof.ts';

const RULE: ProofRule = { deliversMail: true, unlimited: false, since: '2026-12-01T00:00:00.000Z', demoAdmin: null };
const NEW = {
  email: 'ann@example.com',
  emailProof: 'unconfirmed',
  isAdmin: false,
  registeredAt: '2026-12-02T00:00:00.000Z',
} as const;
const OLD = { ...NEW, registeredAt: '2026-11-30T23:59:59.999Z' };
const LATER = '2027-06-01T00:00:00.000Z';
const GRACE_END = '2026-12-31T00:00:00.000Z';

describe('a proven address', () => {
  it.each([
    ['of an account that has proven it', RULE, { ...NEW, emailProof: 'confirmed' as const }],
    ['where emails are kept in a folder, or none are sent', { ...RULE, deliversMail: false }, NEW],
    ['where nobody pays', { ...RULE, unlimited: true }, NEW],
    ['of the demo admin', { ...RULE, demoAdmin: NEW.email }, { ...NEW, isAdmin: true }],
  ])('is not asked for: %s', (_, rule, account) => {
    expect(proofDemand(rule, account, LATER)).toEqual({ kind: 'none' });
  });

  it.each([
    ['a new account', RULE, NEW],
    ['an account whose address another one has proven', RULE, { ...NEW, emailProof: 'lost' as const }],
    ['an admin', RULE, { ...NEW, isAdmin: true }],
    ['another admin than that of the demo', { ...RULE, demoAdmin: 'admin@example.com' }, { ...NEW, isAdmin: true }],
    ['a user with the address of the demo admin', { ...RULE, demoAdmin: NEW.email }, NEW],
    ['an account of an installation that had the rule from its beginning', { ...RULE, since: null }, NEW],
    ['one registered at the very start of the rule', RULE, { ...NEW, registeredAt: RULE.since as string }],
  ])('is asked of %s at once', (_, rule, account) => {
    expect(proofDemand(rule, account, account.registeredAt)).toEqual({ kind: 'now', from: account.registeredAt });
    expect(proofDemand(rule, account, LATER)).toMatchObject({ kind: 'now' });
  });

  it('is asked of an account from before the rule after 30 days, and announced until then', () => {
    expect(proofDemand(RULE, OLD, RULE.since as string)).toEqual({ kind: 'later', from: GRACE_END });
    expect(proofDemand(RULE, OLD, '2026-12-30T23:59:59.999Z')).toEqual({ kind: 'later', from: GRACE_END });
    expect(proofDemand(RULE, OLD, GRACE_END)).toEqual({ kind: 'now', from: GRACE_END });
    expect(proofDemand({ ...RULE, unlimited: true }, OLD, LATER)).toEqual({ kind: 'none' });
  });
});
