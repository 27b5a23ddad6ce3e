/** Reports on logs that a test writes itself. */
import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import type { ReportRow, ReportTable } from '../../src/model/reports.ts';
import type { RequestedParams } from '../../src/reports/params.ts';
import type { AnyReport } from '../../src/reports/report.ts';
import { foldOn, type ReportResult, resultOf, type Until, unfolded } from '../../src/reports/run.ts';
import { memoryEventStore } from './stores/eventStore.ts';
import { metadataAt } from './stores/metadata.ts';

export const ALL: RequestedParams = { from: null, to: null, by: 'month' };
/** Later than anything in these logs. */
export const NOW = '2026-12-31T12:00:00.000Z';

export type Happened = { readonly stream: string; readonly at: string; readonly type: string; readonly data: object };

export const happened = (stream: string, at: string, type: string, data: object): Happened => ({
  stream,
  at,
  type,
  data,
});

/** Writes them in their order. */
export async function write(store: EventStore, ...all: readonly Happened[]): Promise<void> {
  for (const { stream, at, type, data } of all)
    await store.append(stream, [{ id: randomUUID(), type, data, metadata: metadataAt(at) }], { expected: 'any' });
}

export async function logOf(...all: readonly Happened[]): Promise<EventStore> {
  const store = memoryEventStore();
  await write(store, ...all);
  return store;
}

export async function runReport(
  store: EventStore,
  report: AnyReport,
  params: Partial<RequestedParams> = {},
  until: Until = null,
): Promise<ReportResult> {
  const folded = unfolded(report, until);
  await foldOn(folded, { store });
  return resultOf(folded, { ...ALL, ...params }, NOW);
}

export function tableIn({ tables }: Pick<ReportResult, 'tables'>, name: string): ReportTable {
  const table = tables.find((each) => each.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
}

export const rowsOf = (result: Pick<ReportResult, 'tables'>, name: string): readonly ReportRow[] =>
  tableIn(result, name).rows;
