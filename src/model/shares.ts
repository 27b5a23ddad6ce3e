/** Shared link vocabulary shared by the log, the API and the screens. */

/** Parts that a link may show, in form order. */
export const SHARED_PARTS = ['actions', 'executive_summary', 'job_metadata'] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

/** `preview`: only the first action items; locked ones never leave the server. */
export const SHARE_MODES = ['full', 'preview'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** Lifetime options of a link in hours; 0: never expires. */
export const EXPIRY_HOURS = [0, 24, 72, 168, 720] as const;

/** Content of a link's preview image on other sites. */
export type PreviewCard = {
  /** From the most readable to a plain ASCII one: the first that the font can render is drawn. */
  readonly headings: readonly string[];
  readonly score: number | null;
  /** Stands in place of the score. */
  readonly notJudged: boolean;
  readonly lines: readonly string[];
};
