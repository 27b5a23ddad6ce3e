/** Accounts as seen by their owners and admins. */
import type { EmailProof } from '../domain/account/account.ts';
import type { MailChoice } from '../domain/account/events.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type AccountDocument = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly is_admin: boolean;
  /** If not, nobody can log in until an admin enables it. */
  readonly sign_in_enabled: boolean;
  /** Absent in documents of earlier versions, where every account had one. */
  readonly has_password?: boolean;
  /** Log-ins also require a code. */
  readonly mfa_enabled: boolean;
  /** Emails that the user has turned off. */
  readonly unwanted_mails: readonly MailChoice[];
  /** As recorded in the account's own stream. */
  readonly emailProof: EmailProof;
  /** Another account had the address first: this one cannot log in with it until it has proven it. */
  readonly contended: boolean;
  /**
   * Where the last confirmation email went, if not to the account's own address. A new password or the end of the
   * sessions voids its link.
   */
  readonly pendingEmail: { readonly email: string; readonly askedAt: string } | null;
  /** Keeps its name in every version: `readModels/identity.ts` reads it from read models of any age. */
  readonly createdAt: string;
};

export const accounts = projection<AccountDocument>()({
  name: 'accounts',
  version: 8,
  shape: 2,
  indexes: [['email'], ['createdAt'], ['is_admin', 'sign_in_enabled']],
  keys: ({ data }) => [data.userId],
  on: {
    AccountRegistered: (_, { data: { userId, email, name, registeredAt, passwordHash } }) => ({
      id: userId,
      email,
      name,
      is_admin: false,
      sign_in_enabled: true,
      has_password: passwordHash !== undefined,
      mfa_enabled: false,
      unwanted_mails: [],
      emailProof: 'confirmed',
      contended: false,
      pendingEmail: null,
      createdAt: registeredAt,
    }),
    AccountPasswordChanged: (account) => account && { ...account, has_password: true, pendingEmail: null },
    AccountPasswordRemoved: (account) => account && { ...account, has_password: false, pendingEmail: null },
    AccountSessionsEnded: (account) => account && { ...account, pendingEmail: null },
    AccountAdminGranted: (account) => account && { ...account, is_admin: true },
    AccountAdminRevoked: (account) => account && { ...account, is_admin: false },
    AccountDisabled: (account) => account && { ...account, sign_in_enabled: false },
    AccountEnabled: (account) => account && { ...account, sign_in_enabled: true },
    AccountEmailConfirmationAsked: (account, { data: { email, askedAt } }) => {
      if (!account) return null;
      if (email !== account.email) return { ...account, pendingEmail: { email, askedAt } };
      return { ...account, emailProof: account.emailProof === 'lost' ? 'lost' : 'unconfirmed', pendingEmail: null };
    },
    AccountEmailConfirmed: (account) => account && { ...account, emailProof: 'confirmed', contended: false },
    AccountEmailLost: (account) => account && { ...account, emailProof: 'lost', contended: false },
    AccountEmailChanged: (account, { data }) =>
      account && { ...account, email: data.email, emailProof: 'confirmed', contended: false, pendingEmail: null },
    AccountEmailChangeRefused: (account, { data }) =>
      account && { ...account, pendingEmail: account.pendingEmail?.email === data.email ? null : account.pendingEmail },
    AccountMailChoiceSet: (account, { data: { mail, wanted } }) => {
      if (!account) return null;
      const others = account.unwanted_mails.filter((each) => each !== mail);
      return { ...account, unwanted_mails: wanted ? others : [...others, mail] };
    },
    AccountDeleted: () => null,
    EmailContended: (account) => account && { ...account, contended: true },
    // The sign-up was abandoned; the account's own stream is deleted and cannot say so.
    EmailRefused: () => null,
    SecondFactorEnabled: (account) => account && { ...account, mfa_enabled: true },
    SecondFactorRemoved: (account) => account && { ...account, mfa_enabled: false },
  },
});

export function getAccount(readModels: ReadModels, userId: string): Promise<StoredDocument<AccountDocument> | null> {
  return readModels.get('accounts', userId);
}

/** Admins who can log in: only a few, enough to check whether one is left. */
export async function listAdmins(readModels: ReadModels): Promise<readonly string[]> {
  return (
    await readModels.find<AccountDocument>('accounts', { where: { is_admin: true, sign_in_enabled: true }, limit: 100 })
  ).documents.map(({ id }) => id);
}

/** Whether no other admin can log in. */
export async function isLastAdmin(readModels: ReadModels, account: AccountDocument): Promise<boolean> {
  return (
    account.is_admin &&
    account.sign_in_enabled &&
    (await readModels.count('accounts', { is_admin: true, sign_in_enabled: true })) <= 1
  );
}

/** Existing accounts, in the order of the ids. */
export function listAccountsById(
  readModels: Pick<ReadModels, 'getMany'>,
  userIds: readonly string[],
): Promise<readonly StoredDocument<AccountDocument>[]> {
  return readModels.getMany('accounts', userIds);
}

/** Accounts whose address starts with the search text, sorted by address. */
export async function listAccountsByEmail(
  readModels: ReadModels,
  { beginning, limit }: { readonly beginning: string; readonly limit: number },
): Promise<readonly AccountDocument[]> {
  const where = { email: { gte: beginning, lt: `${beginning}\uffff` } };
  return (await readModels.find<AccountDocument>('accounts', { where, sort: [['email', 'asc']], limit })).documents.map(
    ({ data }) => data,
  );
}
