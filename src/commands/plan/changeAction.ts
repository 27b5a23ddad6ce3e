import { type PlanCommand, planDecider } from '../../domain/plan/decide.ts';
import { type ActionItem, planStream } from '../../domain/plan/events.ts';
import { itemsOf } from '../../domain/plan/plan.ts';
import type { Progress } from '../../domain/plan/progress.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { existing, handle } from '../handle.ts';

/** Changes to one item: moving, noting, rating, undoing its last move, recording a verification. */
type ActionCommand = Exclude<PlanCommand, { readonly type: 'GeneratePlan' | 'RegeneratePlan' | 'DeletePlan' }>;
type Asked = ActionCommand extends infer Command
  ? Command extends ActionCommand
    ? Omit<Command, 'at'>
    : never
  : never;

/**
 * Returns the updated plan.
 * @throws DomainError ACTION_NOT_FOUND, NOTES_TOO_LONG, RATING_OUT_OF_RANGE, NOT_OPTIONAL, NOTHING_TO_UNDO; JOB_NOT_FOUND when the
 *   audit was deleted meanwhile
 */
export async function changeAction(
  ctx: CommandContext,
  { jobId, ...asked }: Asked & { readonly jobId: string },
): Promise<{
  readonly items: readonly (ActionItem & Progress)[];
  readonly completed: boolean;
  readonly position: Position;
}> {
  const command = { ...asked, at: ctx.now() } as ActionCommand;
  const { state, events, position } = await existing(handle(ctx, planDecider, planStream(jobId), command));
  return { items: itemsOf(state), completed: events.some((event) => event.type === 'ActionCompleted'), position };
}
