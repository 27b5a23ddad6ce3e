/** Shared links, in the words that the log, the API and the screens share. */

/** What a link may show, in the order in which a form offers it. */
export const SHARED_PARTS = ['actions', 'executive_summary', 'job_metadata'] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

/** `preview`: the first action items alone; what is locked never leaves the server. */
export const SHARE_MODES = ['full', 'preview'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** After how many hours a link may end; 0 never. */
export const EXPIRY_HOURS = [0, 24, 72, 168, 720] as const;

/** What the picture of a link shows where it is posted. */
export type PreviewCard = {
  /** From the one that reads best to one of plain ASCII: the first that the font has all characters of is drawn. */
  readonly headings: readonly string[];
  readonly score: number | null;
  readonly lines: readonly string[];
};
