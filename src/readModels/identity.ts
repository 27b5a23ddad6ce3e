/** Which installation read models belong to: asked of them before anything else is done with them. Kept as a mark. */

/** The mark's name. */
export const IDENTITY_MARK = 'installation';

/**
 * What stands for the identity of something that is of an installation, but names none: it is from before identities.
 */
export const UNNAMED = 'unnamed';

/** The model that `accounts` looks into. */
export const ACCOUNTS_MODEL = 'accounts';

/** How many accounts are looked at from either end of the list. */
export const ACCOUNTS_AT_EACH_END = 10;

export type KnownAccount = { readonly userId: string; readonly createdAt: string };

export type ReadModelsIdentity = {
  /** Null if there are none, or if nothing has been projected into them yet. */
  read(): Promise<string | null>;
  /**
   * Some of the accounts served: the oldest, which another installation does not have, and the newest, which another
   * copy of the log may not have.
   */
  accounts(): Promise<readonly KnownAccount[]>;
  /** Keeps them under another name, if they are still those of `id`: new ones then begin empty. */
  moveAside(id: string): Promise<void>;
};
