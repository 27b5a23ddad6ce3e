import type { Actor } from '../actor.ts';

export type PlanAction = 'read' | 'work';

/** Action items belong to who submitted the job. */
export function can(actor: Actor, _action: PlanAction, plan: { readonly userId: string }): boolean {
  return plan.userId === actor.userId;
}
