/** What makes a first try need nothing: a demo site to audit and a demo admin to sign in as. Never in production. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandContext } from './commands/context.ts';
import { grantAdmin } from './commands/grantAdmin.ts';
import { signUp } from './commands/signUp.ts';
import { startDemoSite } from './demoSite/demoSite.ts';
import { DomainError } from './domain/decider.ts';
import { onFreePort } from './listen.ts';

export type SignIn = { readonly email: string; readonly password: string };
export type DemoSite = Awaited<ReturnType<typeof startDemoSite>>;

const EMAIL = 'admin@example.com';

/** The demo site on the wanted port, or the next free one. Always on loopback: it is not for others. */
export function openDemoSite(port: number): Promise<DemoSite> {
  return onFreePort(port, (candidate) => startDemoSite({ port: candidate, host: '127.0.0.1' }));
}

/** Creates the demo admin in an installation that has none. Its password is random and kept beside the data, readable by its owner alone. */
export async function createDemoAdmin(context: CommandContext, hash: (password: string) => Promise<string>, dataDir: string): Promise<SignIn> {
  const file = join(dataDir, 'demo-admin-password');
  const password = existsSync(file) ? readFileSync(file, 'utf8').trim() : randomBytes(9).toString('base64url');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  try {
    const { userId, isAdmin } = await signUp(context, { email: EMAIL, name: 'Demo admin', passwordHash: await hash(password) });
    if (!isAdmin) await grantAdmin({ ...context, commandId: `${context.commandId}-admin` }, { userId, reason: 'demo' });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'EMAIL_TAKEN')) throw error;
  }
  return { email: EMAIL, password };
}
