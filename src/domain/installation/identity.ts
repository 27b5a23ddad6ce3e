/** Which installation the log belongs to, and by what its keys are recognized. */
import { type Decider, unreachable } from '../decider.ts';
import type { IdentityEvent, InstallationKey } from './events.ts';

export type IdentityState = {
  readonly installationId: string | null;
  /** Of all keys that this identity has been run with. */
  readonly fingerprints: Readonly<Record<InstallationKey, readonly string[]>>;
};

export type IdentityCommand =
  /** `instead`: the identity that was given up; null: there must be none yet. */
  | { readonly type: 'Identify'; readonly installationId: string; readonly instead: string | null; readonly at: string }
  /** `isFirst`: only if none has been recorded. */
  | {
      readonly type: 'RecordKey';
      readonly key: InstallationKey;
      readonly fingerprint: string;
      readonly isFirst: boolean;
      readonly at: string;
    };

const NO_FINGERPRINTS: IdentityState['fingerprints'] = { shares: [], second_factors: [] };

/** What another process did first stays: callers read the state afterward. */
export const identityDecider: Decider<IdentityState, IdentityCommand, IdentityEvent> = {
  initialState: () => ({ installationId: null, fingerprints: NO_FINGERPRINTS }),
  evolve(state, event) {
    switch (event.type) {
      case 'InstallationIdentified':
        return { installationId: event.data.installationId, fingerprints: NO_FINGERPRINTS };
      case 'InstallationKeyRecorded': {
        const { key, fingerprint } = event.data;
        return { ...state, fingerprints: { ...state.fingerprints, [key]: [...state.fingerprints[key], fingerprint] } };
      }
      default:
        event satisfies never;
        return state;
    }
  },
  decide(command, state) {
    switch (command.type) {
      case 'Identify':
        if (state.installationId !== command.instead) return [];
        return [
          {
            type: 'InstallationIdentified',
            data: { installationId: command.installationId, identifiedAt: command.at },
          },
        ];
      case 'RecordKey': {
        const { key, fingerprint, isFirst, at } = command;
        const known = state.fingerprints[key];
        if (state.installationId === null || known.includes(fingerprint) || (isFirst && known.length > 0)) return [];
        return [
          {
            type: 'InstallationKeyRecorded',
            data: { installationId: state.installationId, key, fingerprint, recordedAt: at },
          },
        ];
      }
      default:
        return unreachable(command);
    }
  },
};
