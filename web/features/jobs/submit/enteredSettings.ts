/** The fields of the crawl settings as they are filled in. */
export interface EnteredSettings {
  readonly maxPages: string;
  readonly folder: string;
  readonly include: string;
  readonly exclude: string;
  readonly sitemapOnly: boolean;
}

export const NO_SETTINGS: EnteredSettings = { maxPages: '', folder: '', include: '', exclude: '', sitemapOnly: false };

/** By field, in their order. */
export type SettingsProblems = Partial<Record<keyof EnteredSettings, string>>;
