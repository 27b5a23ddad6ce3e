/** Every number that a check compares with, in one table. */
export const THRESHOLDS = {
  /** What is kept of the findings of one check: of one page, and in all; characters of a value seen. */
  findingsPerPage: 10,
  findingsPerCheck: 500,
  evidenceLength: 300,

  titleMin: 20,
  titleMax: 60,
  /** Estimated width of the title in a result, px. */
  titleMaxWidth: 580,
  descriptionMin: 80,
  descriptionMax: 160,
  altMax: 125,

  thinWords: 200,
  subheadingWords: 400,
  soft404Words: 150,
  jsOnlyWords: 50,
  jsRedirectWords: 20,
  /** Bits of 64 by which two texts may differ and still count as the same: about 0.9 similarity. */
  nearDuplicateBits: 3,
  passageWords: 120,
  passageMedianWords: 90,
  passageShare: 0.25,
  passageMin: 5,

  urlLength: 115,
  urlLengthHard: 2000,
  clickDepth: 3,

  ttfbMs: 800,
  ttfbSlowMs: 1800,
  compressionMinBytes: 1400,
  htmlBytes: 500_000,
  htmlBytesHard: 2_000_000,
  domElements: 1500,
  domElementsWarning: 800,
  domDepth: 32,
  blockingFiles: 6,
  thirdPartyHosts: 10,

  lazyFromImage: 3,
  lazyImages: 5,
  lazyPageImages: 8,
  legacyImages: 3,
  heroMinWidth: 100,

  hstsMaxAge: 31_536_000,
  robotsBytes: 512_000,
  sitemapUrls: 50_000,
  sitemapBytes: 52_428_800,
  sitemapMissingShare: 0.1,
  sitemapMissingPages: 3,
  llmsTxtMin: 50,
  socialDuplicates: 3,
  zoomMin: 2,
  dateMonths: 18,
} as const;
