/** Who came first: the first account of an empty installation runs it. */
import type { Decider } from '../decider.ts';
import type { InstallationEvent } from './events.ts';

export const INSTALLATION_STREAM = 'installation';

export type InstallationState = { readonly userId: string | null };
export type InstallationCommand = { readonly type: 'ClaimInstallation'; readonly userId: string; readonly at: string };

/** A later claim changes nothing: whoever asks looks at the state afterwards. */
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
