import type { CrawlSettings } from '../../../../src/model/crawlSettings.ts';
import type { ApiFailure } from '../../../api/failure.ts';

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

export interface CrawlSettingsForm {
  readonly entered: EnteredSettings;
  readonly problems: SettingsProblems;
  readonly enter: (change: Partial<EnteredSettings>) => void;
  /** What to send; null when something has to be corrected, which is then shown and focused. */
  readonly read: () => Promise<{ readonly options?: CrawlSettings } | null>;
  /** Shows what the server refused of them; false if it was something else. */
  readonly refused: (failure: ApiFailure) => Promise<boolean>;
  readonly clear: () => void;
  readonly section: React.RefObject<HTMLDetailsElement | null>;
  readonly limit: number;
}
