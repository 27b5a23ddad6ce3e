/** Every kind of actor × every action × every kind of thing, their own and another's. */
import { describe, expect, it } from 'vitest';
import {
  can,
  OWNED_KINDS,
  POLICY_ACTIONS,
  type PolicyActor,
  type Thing,
  type Verdict,
} from '../../../src/domain/policy/policy.ts';

const ME = 'user-1';
const ACTORS = {
  anonymous: { kind: 'anonymous' },
  user: { kind: 'user', userId: ME },
  admin: { kind: 'admin', userId: ME },
  'key that reads': { kind: 'apiKey', userId: ME, scope: 'read' },
  'key that writes': { kind: 'apiKey', userId: ME, scope: 'write' },
  'key of an analyst': { kind: 'apiKey', userId: ME, scope: 'reports:read' },
  'key for events': { kind: 'apiKey', userId: ME, scope: 'events:read' },
} as const satisfies Readonly<Record<string, PolicyActor>>;

const owned = (kind: (typeof OWNED_KINDS)[number], ownerId: string, opened = false): Thing =>
  kind === 'share' ? { kind, ownerId, opened } : { kind, ownerId };
const THINGS: Readonly<Record<string, Thing>> = {
  ...Object.fromEntries(
    OWNED_KINDS.flatMap((kind) => [
      [`own ${kind}`, owned(kind, ME)] as const,
      [`another’s ${kind}`, owned(kind, 'user-2')] as const,
    ]),
  ),
  'own opened share': owned('share', ME, true),
  'another’s opened share': owned('share', 'user-2', true),
  installation: { kind: 'installation' },
};

const short = (verdict: Verdict): string =>
  verdict.allowed ? verdict.as : verdict.why === 'not_found' ? '-' : verdict.why;
/** `read change remove share`, for each actor. */
const rowOf = (thing: Thing): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ACTORS).map(([name, actor]) => [
      name,
      POLICY_ACTIONS.map((action) => short(can(actor, action, thing))).join(' '),
    ]),
  );

const NOTHING = '- - - -';
const OWNER = 'owner owner owner owner';
const REPORTS_ONLY = 'reports_only reports_only reports_only reports_only';
const NO_CREDENTIALS = 'session_required session_required session_required session_required';
const nobody = {
  anonymous: NOTHING,
  user: NOTHING,
  admin: NOTHING,
  'key that reads': NOTHING,
  'key that writes': NOTHING,
  'key of an analyst': NOTHING,
  'key for events': NOTHING,
};
const ownWork = {
  anonymous: NOTHING,
  user: OWNER,
  admin: OWNER,
  'key that reads': 'owner read_only read_only read_only',
  'key that writes': OWNER,
  'key of an analyst': REPORTS_ONLY,
  'key for events': REPORTS_ONLY,
};
const anothersWork = { ...nobody, admin: 'admin - - -' };
/** Things admins look after. */
const anothersAffairs = { ...nobody, admin: 'admin admin admin -' };
const ownCredential = {
  anonymous: NOTHING,
  user: OWNER,
  admin: OWNER,
  'key that reads': NO_CREDENTIALS,
  'key that writes': NO_CREDENTIALS,
  'key of an analyst': REPORTS_ONLY,
  'key for events': REPORTS_ONLY,
};

const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'own job': ownWork,
  'own action': ownWork,
  'own share': ownWork,
  'another’s job': anothersAffairs,
  'another’s action': anothersWork,
  'another’s share': anothersWork,
  'own apiKey': ownCredential,
  'own webhook': ownCredential,
  'own session': ownCredential,
  'own account': ownCredential,
  'own bill': ownCredential,
  'another’s account': anothersAffairs,
  'another’s bill': anothersAffairs,
  'another’s apiKey': nobody,
  'another’s webhook': nobody,
  'another’s session': { ...nobody, admin: '- admin admin -' },
  'own opened share': { ...ownWork, anonymous: 'visitor - - -' },
  'another’s opened share': {
    anonymous: 'visitor - - -',
    user: 'visitor - - -',
    admin: 'visitor - - -',
    'key that reads': 'visitor - - -',
    'key that writes': 'visitor - - -',
    'key of an analyst': 'visitor - - -',
    'key for events': 'visitor - - -',
  },
  installation: {
    anonymous: 'admin_only admin_only - -',
    user: 'admin_only admin_only - -',
    admin: 'admin admin - -',
    'key that reads': 'admin_only admin_only - -',
    'key that writes': 'admin_only admin_only - -',
    'key of an analyst': 'admin_only admin_only - -',
    'key for events': 'admin_only admin_only - -',
  },
};

describe('the policy', () => {
  it('has an expectation for every thing', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(THINGS).sort());
  });

  it.each(Object.entries(THINGS))('on %s', (name, thing) => {
    expect(rowOf(thing)).toEqual(EXPECTED[name]);
  });

  it('distinguishes an admin reading another user’s things from an owner', () => {
    const job: Thing = { kind: 'job', ownerId: 'user-2' };
    expect(can(ACTORS.admin, 'read', job)).toEqual({ allowed: true, as: 'admin' });
    expect(can(ACTORS.admin, 'read', { ...job, ownerId: ME })).toEqual({ allowed: true, as: 'owner' });
    expect(can(ACTORS.user, 'read', job)).toEqual({ allowed: false, why: 'not_found' });
  });
});
