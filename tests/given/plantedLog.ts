/** A short history of events, and the results of a report on it. */
import type { DataOf, EventType } from '../../src/domain/stored/eventOf.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import type { ReportRow, ReportTable } from '../../src/model/reports.ts';
import type { AnyReport, ReportParams } from '../../src/reports/report.ts';

/** At noon of a day, unless a time is given. */
export const noon = (day: string): string => (day.length === 10 ? `${day}T12:00:00.000Z` : day);

export type PlantedLog = {
  readonly events: readonly RecordedEvent[];
  /** `day`: or a time. */
  add<Type extends EventType>(day: string, type: Type, data: DataOf<Type>): void;
};

export function plantedLog(): PlantedLog {
  const events: RecordedEvent[] = [];
  return {
    events,
    add: (day, type, data) => {
      const number = events.length;
      const metadata = {
        actor: { kind: 'user', id: 'test' },
        at: noon(day),
        correlationId: 'test',
        causationId: 'test',
        schemaVersion: 1,
      } as const;
      events.push({
        id: `event-${number}`,
        type,
        data,
        metadata,
        stream: 'any',
        revision: BigInt(number),
        position: String(number).padStart(20, '0'),
      });
    },
  };
}

type Asked = Partial<ReportParams> & { readonly asOf?: string };

/** Folded from the start, with only the event types of the report. */
export function tablesOf(
  report: AnyReport,
  events: readonly RecordedEvent[],
  { asOf = '2026-12-31', ...asked }: Asked = {},
): readonly ReportTable[] {
  const state = events.filter(({ type }) => report.types.includes(type)).reduce(report.evolve, report.initial());
  return report.tables(state, { from: null, to: null, by: 'month', ...asked, asOf: noon(asOf) });
}

/** The rows of one table, as texts and numbers by their keys. */
export function rowsOf(
  report: AnyReport,
  events: readonly RecordedEvent[],
  table: string,
  asked: Asked = {},
): readonly ReportRow[] {
  const found = tablesOf(report, events, asked).find(({ name }) => name === table);
  if (!found) throw new Error(`${report.name} has no table ${table}`);
  return found.rows;
}
