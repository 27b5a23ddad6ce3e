/** Accounts as their owners and admins see them. */
import type { AccountEvent, EmailEvent } from '../domain/account/events.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type AccountDocument = {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly createdAt: string;
};

type AccountsEvent = Exclude<AccountEvent, { readonly type: 'AccountPasswordChanged' }> | Extract<EmailEvent, { readonly type: 'EmailRefused' }>;

export const accounts: Projection<AccountDocument, AccountsEvent> = {
  name: 'accounts',
  version: 2,
  indexes: [['email'], ['createdAt'], ['isAdmin']],
  handles: ['AccountRegistered', 'AccountAdminGranted', 'AccountDeleted', 'EmailRefused'],
  keys: (event) => [event.data.userId],
  evolve(document, event) {
    switch (event.type) {
      case 'AccountRegistered': {
        const { userId, email, name, registeredAt } = event.data;
        return { userId, email, name, isAdmin: false, createdAt: registeredAt };
      }
      case 'AccountAdminGranted':
        return document && { ...document, isAdmin: true };
      case 'AccountDeleted':
      // The sign-up came to nothing; the account's own stream is gone and cannot say so.
      case 'EmailRefused':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export function getAccount(readModels: ReadModels, userId: string): Promise<StoredDocument<AccountDocument> | null> {
  return readModels.get('accounts', userId);
}

export async function isLastAdmin(readModels: ReadModels, account: AccountDocument): Promise<boolean> {
  return account.isAdmin && (await readModels.count('accounts', { isAdmin: true })) <= 1;
}
