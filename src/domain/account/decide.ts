/** What may happen to an account. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { type AccountState, type ActiveAccount, evolve, initialState } from './account.ts';
import type { AccountEvent } from './events.ts';

export type AdminReason = 'first_account' | 'configured' | 'demo';

/** `at` is the time of the command, UTC ISO. `email` is normalised. */
export type AccountCommand =
  | {
      readonly type: 'RegisterAccount';
      readonly userId: string;
      readonly email: string;
      readonly name: string;
      readonly passwordHash: string;
      readonly at: string;
    }
  | { readonly type: 'ChangePassword'; readonly passwordHash: string; readonly at: string }
  | { readonly type: 'GrantAdmin'; readonly reason: AdminReason }
  | { readonly type: 'DeleteAccount'; readonly at: string };

type Command<Type extends AccountCommand['type']> = Extract<AccountCommand, { readonly type: Type }>;

function decide(command: AccountCommand, state: AccountState): readonly AccountEvent[] {
  switch (command.type) {
    case 'RegisterAccount':
      return register(command, state);
    case 'ChangePassword':
      return changePassword(command, active(state));
    case 'GrantAdmin':
      return grantAdmin(command, active(state));
    case 'DeleteAccount':
      return remove(command, state);
    default:
      return unreachable(command);
  }
}

export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent> = { initialState, evolve, decide };

/** Name of an account whose owner gave none. */
const DEFAULT_NAME = 'User';

function register({ userId, email, name, passwordHash, at }: Command<'RegisterAccount'>, state: AccountState): readonly AccountEvent[] {
  if (state.status === 'deleted') throw notFound();
  if (state.status === 'active') return [];
  return [{ type: 'AccountRegistered', data: { userId, email, name: name.trim() || DEFAULT_NAME, passwordHash, registeredAt: at } }];
}

function changePassword({ passwordHash, at }: Command<'ChangePassword'>, account: ActiveAccount): readonly AccountEvent[] {
  if (account.passwordHash === passwordHash) return [];
  return [{ type: 'AccountPasswordChanged', data: { userId: account.userId, passwordHash, changedAt: at } }];
}

function grantAdmin({ reason }: Command<'GrantAdmin'>, account: ActiveAccount): readonly AccountEvent[] {
  return account.isAdmin ? [] : [{ type: 'AccountAdminGranted', data: { userId: account.userId, reason } }];
}

function remove({ at }: Command<'DeleteAccount'>, state: AccountState): readonly AccountEvent[] {
  if (state.status === 'deleted') return [];
  return [{ type: 'AccountDeleted', data: { userId: active(state).userId, deletedAt: at } }];
}

function active(state: AccountState): ActiveAccount {
  if (state.status !== 'active') throw notFound();
  return state;
}

function notFound(): DomainError {
  return new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
}
