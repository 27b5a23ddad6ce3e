import { emailProofRuleDecider } from '../../domain/installation/emailProofRule.ts';
import { EMAIL_PROOF_RULE_STREAM } from '../../domain/installation/events.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/**
 * Since when accounts must prove their email addresses on this installation: since now, unless an earlier start, or
 * another process, was first.
 */
export async function requireEmailProof(ctx: CommandContext): Promise<string> {
  const at = ctx.now();
  const { state } = await handle(ctx, emailProofRuleDecider, EMAIL_PROOF_RULE_STREAM, {
    type: 'RequireEmailProof',
    at,
  });
  return state.since ?? at;
}
