/** What is recorded once for the whole installation. */
import { type Decider, unreachable } from '../decider.ts';
import type { InstallationEvent } from './events.ts';

export const INSTALLATION_STREAM = 'installation';

export type InstallationState = {
  /** The first account of an empty installation administers it. */
  readonly userId: string | null;
  /** Since when accounts must prove their email addresses; null while no start has had this rule. */
  readonly proofsSince: string | null;
};
export type InstallationCommand =
  | { readonly type: 'ClaimInstallation'; readonly userId: string; readonly at: string }
  | { readonly type: 'RequireEmailProof'; readonly at: string };

/** A later command changes nothing: callers read the state afterward. */
export const installationDecider: Decider<InstallationState, InstallationCommand, InstallationEvent> = {
  initialState: () => ({ userId: null, proofsSince: null }),
  evolve(state, event) {
    switch (event.type) {
      case 'InstallationClaimed':
        return { ...state, userId: event.data.userId };
      case 'EmailProofRequired':
        return { ...state, proofsSince: event.data.requiredSince };
      default:
        event satisfies never;
        return state;
    }
  },
  decide(command, state) {
    switch (command.type) {
      case 'ClaimInstallation':
        return state.userId === null ? [{ type: 'InstallationClaimed', data: { userId: command.userId, claimedAt: command.at } }] : [];
      case 'RequireEmailProof':
        return state.proofsSince === null ? [{ type: 'EmailProofRequired', data: { requiredSince: command.at } }] : [];
      default:
        return unreachable(command);
    }
  },
};
