/** What an audit keeps of its pages and links, as events. */
import type { PageRecordsWritten } from '../../src/domain/report/events.ts';
import type { PackedPart } from '../../src/domain/report/pageRecords.ts';
import type { RecordParts } from '../../src/domain/report/reportRows.ts';

export type GivenRecords = {
  readonly pages: readonly PackedPart[];
  readonly links: readonly PackedPart[];
  readonly allLinks: number;
};

export const partsOf = ({ pages, links, allLinks }: GivenRecords): RecordParts => ({
  pages: pages.map(({ rows }) => rows),
  links: links.map(({ rows }) => rows),
  allLinks,
});

export const recordsEvents = (
  to: { readonly jobId: string; readonly userId: string; readonly writtenAt: string },
  { pages, links }: GivenRecords,
): readonly PageRecordsWritten[] =>
  (['pages', 'links'] as const).flatMap((kind) => {
    const parts = { pages, links }[kind];
    return parts.map(
      ({ rows, text }, part): PageRecordsWritten => ({
        type: 'PageRecordsWritten',
        data: { ...to, kind, part, parts: parts.length, rows, text },
      }),
    );
  });
