/** Which installation read models belong to: asked of them before anything else is done with them. Kept as a mark. */

/** The mark's name. */
export const IDENTITY_MARK = 'installation';

/** What stands for the identity of something that is of an installation, but names none: it is from before identities. */
export const UNNAMED = 'unnamed';

export type ReadModelsIdentity = {
  /** Null if there are none, or if nothing has been projected into them yet. */
  read(): Promise<string | null>;
  /** Keeps them under another name, if they are still those of `id`: new ones then begin empty. */
  moveAside(id: string): Promise<void>;
};
