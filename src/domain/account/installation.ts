/** The first account of an empty installation administers it. */
import type { Decider } from '../decider.ts';
import type { InstallationEvent } from './events.ts';

export type InstallationState = { readonly userId: string | null };
export type InstallationCommand = { readonly type: 'ClaimInstallation'; readonly userId: string; readonly at: string };

/** A later claim changes nothing: callers read the state afterward. */
export const installationDecider: Decider<InstallationState, InstallationCommand, InstallationEvent> = {
  initialState: () => ({ userId: null }),
  evolve(state, event) {
    switch (event.type) {
      case 'InstallationClaimed':
        return { userId: event.data.userId };
      default:
        event.type satisfies never;
        return state;
    }
  },
  decide({ userId, at }, state) {
    return state.userId === null ? [{ type: 'InstallationClaimed', data: { userId, claimedAt: at } }] : [];
  },
};
