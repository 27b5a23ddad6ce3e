/**
 * Since when accounts must prove their email addresses: recorded once, at the first start at which the rule applies.
 */
import { type Decider, unreachable } from '../decider.ts';
import type { RuleEvent } from './events.ts';

/** `since`: null while no start has had the rule. */
export type EmailProofRuleState = { readonly since: string | null };
export type EmailProofRuleCommand = { readonly type: 'RequireEmailProof'; readonly at: string };

/** A later command changes nothing: callers read the state afterward. */
export const emailProofRuleDecider: Decider<EmailProofRuleState, EmailProofRuleCommand, RuleEvent> = {
  initialState: () => ({ since: null }),
  evolve(state, event) {
    switch (event.type) {
      case 'EmailProofRequired':
        return { since: event.data.requiredSince };
      default:
        event.type satisfies never;
        return state;
    }
  },
  decide(command, state) {
    switch (command.type) {
      case 'RequireEmailProof':
        return state.since === null ? [{ type: 'EmailProofRequired', data: { requiredSince: command.at } }] : [];
      default:
        return unreachable(command.type);
    }
  },
};
