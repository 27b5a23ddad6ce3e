import type { Actor } from '../actor.ts';

export type AccountAction = 'read' | 'administer';

/** Everyone reads the own account; the admin pages are for admins. */
export function can(actor: Actor, action: AccountAction, account: { readonly userId: string }): boolean {
  if (actor.isAdmin) return true;
  return action === 'read' && account.userId === actor.userId;
}
