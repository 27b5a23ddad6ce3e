/** Accounts as seen by their owners and admins. */
import type { EmailProof } from '../domain/account/account.ts';
import type { AccountEvent, EmailEvent, MailChoice } from '../domain/account/events.ts';
import type { SecondFactorEvent } from '../domain/secondFactor/events.ts';
import type { DataOf } from '../domain/stored/eventOf.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type AccountDocument = {
  readonly userId: string;
  readonly email: string;
  /** As recorded in the account's own stream. */
  readonly emailProof: EmailProof;
  /** Another account had the address first: this one cannot log in with it until it has proven it. */
  readonly contended: boolean;
  /** Where the last confirmation email went, if not to the account's own address. A new password or the end of the sessions voids its link. */
  readonly pendingEmail: { readonly email: string; readonly askedAt: string } | null;
  readonly name: string;
  readonly isAdmin: boolean;
  /** Log-ins also require a code. */
  readonly secondFactor: boolean;
  /** Nobody can log in until an admin enables it. */
  readonly isDisabled: boolean;
  readonly createdAt: string;
  /** Emails that the user has turned off. */
  readonly unwantedMails: readonly MailChoice[];
};

const OF_ACCOUNT = [
  'AccountRegistered',
  'AccountPasswordChanged',
  'AccountSessionsEnded',
  'AccountAdminGranted',
  'AccountAdminRevoked',
  'AccountDisabled',
  'AccountEnabled',
  'AccountEmailConfirmationAsked',
  'AccountEmailConfirmed',
  'AccountEmailLost',
  'AccountEmailChanged',
  'AccountEmailChangeRefused',
  'AccountMailChoiceSet',
  'AccountDeleted',
] as const;
const OF_EMAIL = ['EmailContended', 'EmailRefused'] as const;
const OF_SECOND_FACTOR = ['SecondFactorEnabled', 'SecondFactorRemoved'] as const;

/** Events handled by the model. */
export type AccountsEvent =
  | Extract<AccountEvent, { readonly type: (typeof OF_ACCOUNT)[number] }>
  | Extract<EmailEvent, { readonly type: (typeof OF_EMAIL)[number] }>
  | Extract<SecondFactorEvent, { readonly type: (typeof OF_SECOND_FACTOR)[number] }>;

export const accounts: Projection<AccountDocument, AccountsEvent> = {
  name: 'accounts',
  version: 6,
  indexes: [['email'], ['createdAt'], ['isAdmin', 'isDisabled']],
  handles: [...OF_ACCOUNT, ...OF_EMAIL, ...OF_SECOND_FACTOR],
  keys: (event) => [event.data.userId],
  evolve(document, event) {
    switch (event.type) {
      case 'AccountRegistered': {
        const { userId, email, name, registeredAt } = event.data;
        return {
          ...{ userId, email, emailProof: 'confirmed', contended: false, pendingEmail: null },
          ...{ name, isAdmin: false, isDisabled: false, secondFactor: false, createdAt: registeredAt, unwantedMails: [] },
        };
      }
      case 'AccountPasswordChanged':
      case 'AccountSessionsEnded':
        return document && { ...document, pendingEmail: null };
      case 'AccountAdminGranted':
        return document && { ...document, isAdmin: true };
      case 'AccountAdminRevoked':
        return document && { ...document, isAdmin: false };
      case 'SecondFactorEnabled':
        return document && { ...document, secondFactor: true };
      case 'SecondFactorRemoved':
        return document && { ...document, secondFactor: false };
      case 'AccountDisabled':
        return document && { ...document, isDisabled: true };
      case 'AccountEnabled':
        return document && { ...document, isDisabled: false };
      case 'AccountEmailChanged':
        return document && { ...document, email: event.data.email, emailProof: 'confirmed', contended: false, pendingEmail: null };
      case 'AccountEmailConfirmationAsked':
        return document && confirmationAsked(document, event.data);
      case 'AccountEmailConfirmed':
        return document && { ...document, emailProof: 'confirmed', contended: false };
      case 'AccountEmailLost':
        return document && { ...document, emailProof: 'lost', contended: false };
      case 'AccountEmailChangeRefused':
        return document && { ...document, pendingEmail: document.pendingEmail?.email === event.data.email ? null : document.pendingEmail };
      case 'EmailContended':
        return document && { ...document, contended: true };
      case 'AccountMailChoiceSet': {
        const { mail, wanted } = event.data;
        const others = document?.unwantedMails.filter((each) => each !== mail) ?? [];
        return document && { ...document, unwantedMails: wanted ? others : [...others, mail] };
      }
      case 'AccountDeleted':
      // The sign-up was abandoned; the account's own stream is deleted and cannot say so.
      case 'EmailRefused':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

function confirmationAsked(document: AccountDocument, { email, askedAt }: DataOf<'AccountEmailConfirmationAsked'>): AccountDocument {
  if (email !== document.email) return { ...document, pendingEmail: { email, askedAt } };
  return { ...document, emailProof: document.emailProof === 'lost' ? 'lost' : 'unconfirmed', pendingEmail: null };
}

export function getAccount(readModels: ReadModels, userId: string): Promise<StoredDocument<AccountDocument> | null> {
  return readModels.get('accounts', userId);
}

/** Admins who can log in: only a few, enough to check whether one is left. */
export async function listAdmins(readModels: ReadModels): Promise<readonly string[]> {
  return (await readModels.find<AccountDocument>('accounts', { where: { isAdmin: true, isDisabled: false }, limit: 100 })).documents.map(({ id }) => id);
}

/** Whether no other admin can log in. */
export async function isLastAdmin(readModels: ReadModels, account: AccountDocument): Promise<boolean> {
  return account.isAdmin && !account.isDisabled && (await readModels.count('accounts', { isAdmin: true, isDisabled: false })) <= 1;
}

/** Existing accounts, in the order of the ids. */
export function listAccountsById(readModels: Pick<ReadModels, 'getMany'>, userIds: readonly string[]): Promise<readonly StoredDocument<AccountDocument>[]> {
  return readModels.getMany('accounts', userIds);
}

/** Accounts whose address starts with the search text, sorted by address. */
export async function listAccountsByEmail(
  readModels: ReadModels,
  { beginning, limit }: { readonly beginning: string; readonly limit: number },
): Promise<readonly AccountDocument[]> {
  const where = { email: { gte: beginning, lt: `${beginning}\uffff` } };
  return (await readModels.find<AccountDocument>('accounts', { where, sort: [['email', 'asc']], limit })).documents.map(({ data }) => data);
}
