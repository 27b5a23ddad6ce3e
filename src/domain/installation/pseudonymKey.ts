/** Whether the key of pseudonyms is the one that this installation has always had: only then do its exports join. */
import type { Decider } from '../decider.ts';
import type { PseudonymKeyEvent } from './events.ts';

type Recorded = PseudonymKeyEvent['data'];

/** Of the first key, and of the one at the last start; null: none was recorded yet. */
export type PseudonymKeyState = { readonly first: Recorded; readonly last: Recorded } | null;
/** `at` is the time of the command, UTC ISO. */
export type PseudonymKeyCommand = {
  readonly type: 'RecordPseudonymKey';
  readonly pseudonyms: string;
  readonly at: string;
};

const REPORTED_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Whether the key at the last start is another one than the first. Only for a month: once earlier exports are made
 * again, nothing is wrong any more.
 */
export function isReplaced(state: PseudonymKeyState, at: string): boolean {
  if (state === null || state.last.pseudonyms === state.first.pseudonyms) return false;
  return Date.parse(at) - Date.parse(state.last.recordedAt) < REPORTED_MS;
}

export const pseudonymKeyDecider: Decider<PseudonymKeyState, PseudonymKeyCommand, PseudonymKeyEvent> = {
  initialState: () => null,
  evolve: (state, { data }) => ({ first: state?.first ?? data, last: data }),
  decide: ({ pseudonyms, at }, state) =>
    state?.last.pseudonyms === pseudonyms
      ? []
      : [{ type: 'PseudonymKeyRecorded', data: { pseudonyms, recordedAt: at } }],
};
