import type { Actor } from '../actor.ts';

/** A bill is its user's own. */
export function can(actor: Actor, _action: 'read', billing: { readonly userId: string }): boolean {
  return billing.userId === actor.userId;
}
