import type { Actor } from '../actor.ts';

export type JobAction = 'read' | 'readFile' | 'cancel' | 'delete';

/** A job belongs to who submitted it. Admins see every job in their lists; its files and its fate stay with its owner. */
export function can(actor: Actor, action: JobAction, job: { readonly userId: string }): boolean {
  return job.userId === actor.userId || (actor.isAdmin && action === 'read');
}
