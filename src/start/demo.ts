/** Makes a first try work out of the box: a demo site to audit and a demo admin to log in as. Never in production. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emailStreamOf } from '../commands/account/emailStreamOf.ts';
import { grantAdmin } from '../commands/account/grantAdmin.ts';
import { signUp } from '../commands/account/signUp.ts';
import type { CommandContext } from '../commands/context.ts';
import { loadState } from '../commands/handle.ts';
import { logIn } from '../commands/session/logIn.ts';
import { startDemoSite } from '../demoSite/demoSite.ts';
import { emailDecider } from '../domain/account/email.ts';
import { INSTALLATION_STREAM } from '../domain/account/events.ts';
import { installationDecider } from '../domain/account/installation.ts';
import { DomainError } from '../domain/decider.ts';
import { onFreePort } from './listen.ts';
import { DamagedKeyFile, readKeyFile } from './secrets/readKeyFile.ts';

/**
 * `password` is null if its owner has changed the generated one, or if the file that keeps it is missing (`isLost`), as
 * after a restore.
 */
export type SignIn = { readonly email: string; readonly password: string | null; readonly isLost: boolean };
export type DemoSite = Awaited<ReturnType<typeof startDemoSite>>;
type Passwords = {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (hash: string | null, password: string) => Promise<boolean>;
};

const EMAIL = 'admin@example.com';
const PASSWORD_FILE = 'demo-admin-password';

/** Opens the demo site on the requested port, or the next free one. Always on loopback: it is not meant for others. */
export function openDemoSite(port: number): Promise<DemoSite> {
  return onFreePort(port, (candidate) => startDemoSite({ port: candidate, host: '127.0.0.1' }));
}

/**
 * The log-in of the demo admin, created once per installation: if its address is changed or the account deleted, no
 * second one is created (null). The password is random, and kept next to the data, readable only by its owner; it is
 * returned only while it opens the account. Null, too, if that cannot be told.
 */
export async function openDemoAdmin(
  context: CommandContext,
  passwords: Passwords,
  dataDir: string,
): Promise<SignIn | null> {
  const { store } = context;
  const kept = demoPassword(dataDir);
  const { state: claim } = await loadState(store, emailDecider, emailStreamOf(EMAIL));
  if (claim.userId === null) {
    const { state: installation } = await loadState(store, installationDecider, INSTALLATION_STREAM);
    if (kept !== null && installation.userId !== null) return null;
    const password = kept ?? randomBytes(9).toString('base64url');
    // Before the account: a crash in between must not leave one without a known password.
    writeFileSync(join(dataDir, PASSWORD_FILE), `${password}\n`, { mode: 0o600 });
    if (await create(context, await passwords.hash(password))) return { email: EMAIL, password, isLost: false };
  }
  if (kept === null) return { email: EMAIL, password: null, isLost: true };
  // Only to print it, so a store that does not answer now is no reason to end.
  const isOpen = await opens(context, passwords, kept).catch(() => null);
  return isOpen === null ? null : { email: EMAIL, password: isOpen ? kept : null, isLost: false };
}

/** Null: none is kept. @throws DamagedKeyFile when the file holds no password as it is generated here */
export function demoPassword(dataDir: string): string | null {
  const file = join(dataDir, PASSWORD_FILE);
  const kept = readKeyFile(file)?.toString('utf8').trim() ?? null;
  if (kept === null || /^[\w-]{12}$/.test(kept)) return kept;
  throw new DamagedKeyFile(
    `${file} holds no password. Put it back from a backup, or remove it; the start then no longer prints the demo admin's password.`,
  );
}

/** False if another process was faster. */
async function create(context: CommandContext, passwordHash: string): Promise<boolean> {
  try {
    const { userId, isAdmin } = await signUp(context, { email: EMAIL, name: 'Demo admin', passwordHash });
    if (!isAdmin) await grantAdmin({ ...context, commandId: `${context.commandId}-admin` }, { userId, reason: 'demo' });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'EMAIL_TAKEN') return false;
    throw error;
  }
}

async function opens({ store }: CommandContext, { verify }: Passwords, password: string): Promise<boolean> {
  try {
    await logIn({ store }, { email: EMAIL, password, verifyPassword: verify });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
