/** An event as exported for analysts: one row in the current schema, without secrets. */
import { streamKindOf } from '../../domain/stored/catalogue/streamKinds.ts';
import { currentEvent } from '../../domain/stored/current.ts';
import { redacted } from '../../domain/stored/redaction.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';

/** The keys are the column names, in column order. */
export type ExportedEvent = {
  readonly position: string;
  readonly stream: string;
  /** For example `job` or `billing`; empty if no stream kind of the product matches. */
  readonly stream_kind: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** Schema version of the data, which is always the current one; 0 if the data could not be read and is left out. */
  readonly version: number;
  /** UTC ISO; null in very old events. Not named `at`, which is an SQL keyword in DuckDB. */
  readonly happened_at: string | null;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly on_behalf_of: string | null;
  readonly correlation_id: string;
  readonly causation_id: string;
  readonly data: object;
};

/** A row as written, with its data as JSON. */
export type ExportedRow = Omit<ExportedEvent, 'data'> & { readonly data: string };

/** Type of a column, for typed file formats. */
export type ColumnKind = 'text' | 'whole' | 'time' | 'json';

export const EXPORT_COLUMNS: readonly {
  readonly name: keyof ExportedRow;
  readonly kind: ColumnKind;
  readonly nullable?: true;
}[] = [
  { name: 'position', kind: 'whole' },
  { name: 'stream', kind: 'text' },
  { name: 'stream_kind', kind: 'text' },
  { name: 'revision', kind: 'whole' },
  { name: 'id', kind: 'text' },
  { name: 'type', kind: 'text' },
  { name: 'version', kind: 'whole' },
  { name: 'happened_at', kind: 'time', nullable: true },
  { name: 'actor_kind', kind: 'text' },
  { name: 'actor_id', kind: 'text' },
  { name: 'on_behalf_of', kind: 'text', nullable: true },
  { name: 'correlation_id', kind: 'text' },
  { name: 'causation_id', kind: 'text' },
  { name: 'data', kind: 'json' },
];

export function exportedEvent(recorded: RecordedEvent): ExportedEvent {
  const { position, stream, revision, id, type, data, metadata, unreadable } = currentEvent(recorded);
  const { actor, at, correlationId, causationId, schemaVersion } = metadata;
  // If the schema is unknown, so is which fields are secret.
  const isReadable = unreadable === undefined;
  return {
    position,
    stream,
    stream_kind: streamKindOf(stream)?.kind.kind ?? '',
    revision: Number(revision),
    id,
    type,
    version: isReadable ? (schemaVersion ?? 1) : 0,
    happened_at: at === '' ? null : at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    on_behalf_of: actor.onBehalfOf ?? null,
    correlation_id: correlationId,
    causation_id: causationId,
    data: isReadable ? redacted(type, data) : {},
  };
}

export const exportedRow = (event: ExportedEvent): ExportedRow => ({ ...event, data: JSON.stringify(event.data) });

/** In column order. The data stay as they are, as an object. */
export const ndjsonLine = ({ data, ...row }: ExportedRow): string =>
  `${JSON.stringify(row).slice(0, -1)},"data":${data}}\n`;
