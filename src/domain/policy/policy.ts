/** Authorization: one table used by the routes and the socket. Anything that no row allows is denied. */
import { type ApiKeyScope, isAnalystScope } from '../../model/programs.ts';

/** An `admin` is a user whose right to administer has been checked; until then they count as a `user`. */
export type PolicyActor =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user' | 'admin'; readonly userId: string }
  | { readonly kind: 'apiKey'; readonly userId: string; readonly scope: ApiKeyScope };

export const POLICY_ACTIONS = ['read', 'change', 'remove', 'share'] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

/** Things that belong to an account. */
export const OWNED_KINDS = ['job', 'action', 'share', 'apiKey', 'webhook', 'session', 'account', 'bill'] as const;
type OwnedKind = (typeof OWNED_KINDS)[number];

export type Thing =
  | { readonly kind: Exclude<OwnedKind, 'share'>; readonly ownerId: string }
  /** `opened`: its token was presented, and the link is currently open. */
  | { readonly kind: 'share'; readonly ownerId: string; readonly opened: boolean }
  /** Installation-wide data: the list of all jobs, the state of the system. */
  | { readonly kind: 'installation' };

/** `admin`: access to another account's data by the right to administer. The caller must record it. */
export type Verdict =
  | { readonly allowed: true; readonly as: 'owner' | 'visitor' | 'admin' }
  | {
      readonly allowed: false;
      readonly why: 'not_found' | 'read_only' | 'session_required' | 'reports_only' | 'admin_only';
    };

type Condition = (actor: PolicyActor, thing: Thing) => boolean;

type Rule = {
  readonly who: readonly PolicyActor['kind'][];
  readonly may: readonly PolicyAction[];
  readonly on: readonly Thing['kind'][];
  readonly when: Condition;
  readonly verdict: Verdict;
};

const own: Condition = (actor, thing) =>
  actor.kind !== 'anonymous' && thing.kind !== 'installation' && actor.userId === thing.ownerId;
const anothers: Condition = (actor, thing) => thing.kind !== 'installation' && !own(actor, thing);
const opened: Condition = (_, thing) => thing.kind === 'share' && thing.opened;
const ownWithWriteScope: Condition = (actor, thing) =>
  own(actor, thing) && actor.kind === 'apiKey' && actor.scope === 'write';
const ownWithAnalystScope: Condition = (actor, thing) =>
  own(actor, thing) && actor.kind === 'apiKey' && isAnalystScope(actor.scope);
const always: Condition = () => true;

const as = (role: Extract<Verdict, { allowed: true }>['as']): Verdict => ({ allowed: true, as: role });
const because = (why: Extract<Verdict, { allowed: false }>['why']): Verdict => ({ allowed: false, why });

const WORK = ['job', 'action', 'share'] as const;
const CREDENTIALS = ['apiKey', 'webhook', 'session'] as const;
const PERSONAL = ['account', 'bill'] as const;
/**
 * What admins may change for the owner: cancel and retry jobs, end sessions, grant credits, disable or delete the
 * account.
 */
const ADMINISTERED = ['job', 'session', 'account', 'bill'] as const;
const WRITES = ['change', 'remove', 'share'] as const;

/** The first matching row decides. */
const RULES: readonly Rule[] = [
  { who: ['user', 'admin'], may: POLICY_ACTIONS, on: OWNED_KINDS, when: own, verdict: as('owner') },
  {
    who: ['apiKey'],
    may: POLICY_ACTIONS,
    on: OWNED_KINDS,
    when: ownWithAnalystScope,
    verdict: because('reports_only'),
  },
  {
    who: ['apiKey'],
    may: POLICY_ACTIONS,
    on: [...CREDENTIALS, ...PERSONAL],
    when: own,
    verdict: because('session_required'),
  },
  { who: ['apiKey'], may: ['read'], on: WORK, when: own, verdict: as('owner') },
  { who: ['apiKey'], may: WRITES, on: WORK, when: ownWithWriteScope, verdict: as('owner') },
  { who: ['apiKey'], may: WRITES, on: WORK, when: own, verdict: because('read_only') },
  { who: ['anonymous', 'user', 'apiKey', 'admin'], may: ['read'], on: ['share'], when: opened, verdict: as('visitor') },
  { who: ['admin'], may: ['read'], on: [...WORK, ...PERSONAL], when: anothers, verdict: as('admin') },
  { who: ['admin'], may: ['change', 'remove'], on: ADMINISTERED, when: anothers, verdict: as('admin') },
  { who: ['admin'], may: ['read', 'change'], on: ['installation'], when: always, verdict: as('admin') },
  {
    who: ['anonymous', 'user', 'apiKey'],
    may: ['read', 'change'],
    on: ['installation'],
    when: always,
    verdict: because('admin_only'),
  },
];

export function can(actor: PolicyActor, action: PolicyAction, thing: Thing): Verdict {
  const rule = RULES.find(
    ({ who, may, on, when }) =>
      who.includes(actor.kind) && may.includes(action) && on.includes(thing.kind) && when(actor, thing),
  );
  return rule?.verdict ?? because('not_found');
}
