/** `npm run admin -- grant <email>`, `revoke <email>`, `reset-mfa <email>`: admin rights and lost second factors. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { loadConfig } from '../../start/config.ts';
import { type AdminRequest, operateAdmins } from '../../start/operateAdmins.ts';
import { runOnStores } from '../runOnStores.ts';

type Texts = { readonly done: string; readonly before: string };
const TEXTS: Readonly<Record<AdminRequest['action'], Texts>> = {
  grant: { done: 'is an admin now', before: 'is an admin already' },
  revoke: { done: 'is no longer an admin', before: 'is not an admin' },
  'reset-mfa': { done: 'logs in with the password alone now', before: 'has no two-factor authentication' },
};

async function change(action: AdminRequest['action'], email: string): Promise<void> {
  const config = loadConfig(process.env);
  const request: AdminRequest = { action, id: randomUUID(), email };
  const { changed } = await runOnStores(
    config,
    { request: { admin: request }, empty: 'it has no accounts' },
    ({ store }) => operateAdmins(store, config.ADMIN_EMAIL ?? null, request),
  );
  console.log(`${email} ${changed ? TEXTS[action].done : TEXTS[action].before}.`);
}

export function addGrant(program: Command): Command {
  return program
    .command('grant')
    .description('makes an account an admin')
    .argument('<email>', 'of the account')
    .action((email: string) => change('grant', email));
}

export function addRevoke(program: Command): Command {
  return program
    .command('revoke')
    .description('removes admin rights at once; not from the last admin, nor from the one that ADMIN_EMAIL names')
    .argument('<email>', 'of the account')
    .action((email: string) => change('revoke', email));
}

export function addResetMfa(program: Command): Command {
  return program
    .command('reset-mfa')
    .description(
      'turns two-factor authentication off for an account whose phone and recovery codes are lost; notifies the owner by email',
    )
    .argument('<email>', 'of the account')
    .action((email: string) => change('reset-mfa', email));
}
