/** How much of the log exports of events may hold and how long they may take, in one process. */
export type EventExportLimits = {
  /** Events read at once, at most: an export holds no more. */
  readonly page: number;
  /** Characters that they have, about: an event may have a thousand times as many as another. */
  readonly pageCharacters: number;
  /** Characters sent at once. */
  readonly chunk: number;
  /** A client that takes nothing for so long is cut off, ms. */
  readonly stalledMs: number;
  /** After so long without an event, a line says how far the export is: connections without traffic are ended, ms. */
  readonly quietMs: number;
  /** Under way at once: per key (or session), and of all together. */
  readonly perKey: number;
  readonly inAll: number;
};

export const EVENT_EXPORT_LIMITS: EventExportLimits = {
  page: 500,
  pageCharacters: 1024 * 1024,
  chunk: 64 * 1024,
  stalledMs: 30_000,
  quietMs: 10_000,
  perKey: 2,
  inAll: 10,
};
