/** Readable views of decider states that are not plain JSON or that hold everything in their stream. */
import { analysisOf, unlockOf } from '../domain/billing/billing.ts';
import { type BillingState, lookUp } from '../domain/billing/ledger.ts';
import type { CodeState } from '../domain/code/code.ts';
import type { PromptState } from '../domain/prompt/prompt.ts';
import type { ReportEvent } from '../domain/report/events.ts';
import { type ReportState, reportDecider } from '../domain/report/report.ts';
import { type RowsState, rowsDecider } from '../domain/report/rows.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { BUILT_IN_PROMPTS } from '../model/prompts/builtIn.ts';
import { PROMPT_KEYS } from '../model/prompts/prompt.ts';

/** Maximum number of a bill's audits and payments shown at once; the newest are kept. */
const MOST = 500;

/** All states of a bill share one ledger, so each state's view of it is looked up entry by entry. */
export function shownBill(state: BillingState, about?: RecordedEvent): object {
  const { ledger, upTo: _, months, ...rest } = state;
  const names: Readonly<Record<string, unknown>> = { ...about?.data };
  const named = (field: string, all: ReadonlyMap<string, unknown>): readonly string[] => {
    if (!about) return [...all.keys()].slice(-MOST);
    const id = names[field];
    return typeof id === 'string' ? [id] : [];
  };
  return {
    ...rest,
    used: Object.fromEntries(months.map(({ period, used }) => [period, used])),
    audits: known(named('jobId', ledger.analyses), (jobId) => analysisOf(state, jobId)),
    unlocks: known(named('jobId', ledger.unlocks), (jobId) => unlockOf(state, jobId)),
    payments: known(named('paymentIntentId', ledger.payments), (id) => lookUp(state, 'payments', id)),
    disputes: known(named('disputeId', ledger.disputes), (id) => lookUp(state, 'disputes', id)),
  };
}

/** The settled uses are shared by all states of a code; only their number is the state's. */
export function shownCode({ open, used, settled }: CodeState): object {
  return { open, used, settled };
}

function known<T>(ids: readonly string[], of: (id: string) => T | null): Readonly<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const id of ids) {
    const value = of(id);
    if (value !== null) found[id] = value;
  }
  return found;
}

/** The newest text alone: a state has those of all versions, by number. */
export function shownPrompt({ newest, contents }: PromptState, about?: RecordedEvent): object {
  if (newest !== null) return { ...newest, content: contents[newest.version] };
  // The delivered prompt has no event.
  const key = PROMPT_KEYS.find((each) => each === Object(about?.data).key);
  if (key === undefined) return {};
  const { name, description, content } = BUILT_IN_PROMPTS[key];
  return { version: 1, name, description, active: true, content };
}

type WrittenReport = { readonly files: ReportState; readonly rows: RowsState };

/** A report's files and rows have separate deciders but share one stream. */
export const writtenReport = {
  initialState: (): WrittenReport => ({ files: reportDecider.initialState(), rows: rowsDecider.initialState() }),
  evolve: ({ files, rows }: WrittenReport, event: ReportEvent): WrittenReport => ({
    files: reportDecider.evolve(files, event),
    rows: rowsDecider.evolve(rows, event),
  }),
};

/** Shows sizes only; the texts are in the events. */
export function shownReport({ files, rows }: WrittenReport): object {
  return {
    files: Object.fromEntries(
      Object.entries(files).map(([name, { parts, written }]) => [
        name,
        { parts, partsWritten: written.length, characters: written.at(-1)?.characters ?? 0 },
      ]),
    ),
    rows: Object.fromEntries(
      Object.entries(rows).map(([kind, { parts, digests }]) => [kind, { parts, partsWritten: digests.length }]),
    ),
  };
}

export const shownDeletions = ({ jobIds }: { readonly jobIds: readonly (readonly string[])[] }): object => ({
  jobIds: jobIds.flat(),
});
