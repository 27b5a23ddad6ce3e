/** Accounts as their owners and admins see them. */
import type { AccountEvent, EmailEvent, MailChoice } from '../domain/account/events.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type AccountDocument = {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly createdAt: string;
  /** Mails that the user has turned off. */
  readonly unwantedMails: readonly MailChoice[];
};

type AccountsEvent =
  | Extract<AccountEvent, { readonly type: 'AccountRegistered' | 'AccountAdminGranted' | 'AccountEmailChanged' | 'AccountMailChoiceSet' | 'AccountDeleted' }>
  | Extract<EmailEvent, { readonly type: 'EmailRefused' }>;

export const accounts: Projection<AccountDocument, AccountsEvent> = {
  name: 'accounts',
  version: 3,
  indexes: [['email'], ['createdAt'], ['isAdmin']],
  handles: ['AccountRegistered', 'AccountAdminGranted', 'AccountEmailChanged', 'AccountMailChoiceSet', 'AccountDeleted', 'EmailRefused'],
  keys: (event) => [event.data.userId],
  evolve(document, event) {
    switch (event.type) {
      case 'AccountRegistered': {
        const { userId, email, name, registeredAt } = event.data;
        return { userId, email, name, isAdmin: false, createdAt: registeredAt, unwantedMails: [] };
      }
      case 'AccountAdminGranted':
        return document && { ...document, isAdmin: true };
      case 'AccountEmailChanged':
        return document && { ...document, email: event.data.email };
      case 'AccountMailChoiceSet': {
        const { mail, wanted } = event.data;
        const others = document?.unwantedMails.filter((each) => each !== mail) ?? [];
        return document && { ...document, unwantedMails: wanted ? others : [...others, mail] };
      }
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
