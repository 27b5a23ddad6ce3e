/** The checks of all categories, in the order of their files. Made from the folders by `npm run docs`; do not edit it by hand. */
import type { Check } from './check.ts';
import { answerNotFirst } from './content/ai-visibility/answer-not-first.ts';
import { authorMissing } from './content/ai-visibility/author-missing.ts';
import { dateMissing } from './content/ai-visibility/date-missing.ts';
import { noEvidence } from './content/ai-visibility/no-evidence.ts';
import { noListsTables } from './content/ai-visibility/no-lists-tables.ts';
import { noQuestionContent } from './content/ai-visibility/no-question-content.ts';
import { passageTooLong } from './content/ai-visibility/passage-too-long.ts';
import { duplicateContent } from './content/content-quality/duplicate-content.ts';
import { hardToRead } from './content/content-quality/hard-to-read.ts';
import { hiddenText } from './content/content-quality/hidden-text.ts';
import { keywordStuffing } from './content/content-quality/keyword-stuffing.ts';
import { placeholderText } from './content/content-quality/placeholder-text.ts';
import { thinContent } from './content/content-quality/thin-content.ts';
import { descriptionDuplicate } from './content/description/description-duplicate.ts';
import { descriptionLength } from './content/description/description-length.ts';
import { descriptionMissing } from './content/description/description-missing.ts';
import { descriptionMultiple } from './content/description/description-multiple.ts';
import { h1Missing } from './content/headings/h1-missing.ts';
import { h1Multiple } from './content/headings/h1-multiple.ts';
import { headingEmpty } from './content/headings/heading-empty.ts';
import { headingOrder } from './content/headings/heading-order.ts';
import { noSubheadings } from './content/headings/no-subheadings.ts';
import { imageAltMissing } from './content/images/image-alt-missing.ts';
import { imageAltPoor } from './content/images/image-alt-poor.ts';
import { linkEmpty } from './content/links/link-empty.ts';
import { linkTextGeneric } from './content/links/link-text-generic.ts';
import { titleDuplicate } from './content/title/title-duplicate.ts';
import { titleGeneric } from './content/title/title-generic.ts';
import { titleH1Mismatch } from './content/title/title-h1-mismatch.ts';
import { titleMissing } from './content/title/title-missing.ts';
import { titleMultiple } from './content/title/title-multiple.ts';
import { titleTooLong } from './content/title/title-too-long.ts';
import { titleTooShort } from './content/title/title-too-short.ts';
import { contactMissing } from './content/trust/contact-missing.ts';
import { articleSchema } from './schema/article-schema.ts';
import { breadcrumbSchema } from './schema/breadcrumb-schema.ts';
import { eventSchema } from './schema/event-schema.ts';
import { faqSchema } from './schema/faq-schema.ts';
import { jobpostingSchema } from './schema/jobposting-schema.ts';
import { jsonldContext } from './schema/jsonld-context.ts';
import { jsonldParseError } from './schema/jsonld-parse-error.ts';
import { localbusinessSchema } from './schema/localbusiness-schema.ts';
import { merchantPolicies } from './schema/merchant-policies.ts';
import { organizationIncomplete } from './schema/organization-incomplete.ts';
import { productSchema } from './schema/product-schema.ts';
import { recipeSchema } from './schema/recipe-schema.ts';
import { reviewSchema } from './schema/review-schema.ts';
import { richResultIncomplete } from './schema/rich-result-incomplete.ts';
import { schemaDeprecated } from './schema/schema-deprecated.ts';
import { schemaInvalidValues } from './schema/schema-invalid-values.ts';
import { schemaMismatch } from './schema/schema-mismatch.ts';
import { schemaMissing } from './schema/schema-missing.ts';
import { schemaUnknownType } from './schema/schema-unknown-type.ts';
import { softwareSchema } from './schema/software-schema.ts';
import { videoSchema } from './schema/video-schema.ts';
import { websiteSchema } from './schema/website-schema.ts';
import { ogDescriptionMissing } from './social/og-description-missing.ts';
import { ogImageInvalid } from './social/og-image-invalid.ts';
import { ogMissing } from './social/og-missing.ts';
import { ogUrlMismatch } from './social/og-url-mismatch.ts';
import { socialDuplicate } from './social/social-duplicate.ts';
import { socialProfilesMissing } from './social/social-profiles-missing.ts';
import { twitterCardMissing } from './social/twitter-card-missing.ts';
import { aiBotsServedDifferently } from './technical/ai-visibility/ai-bots-served-differently.ts';
import { aiSearchBotsBlocked } from './technical/ai-visibility/ai-search-bots-blocked.ts';
import { aiTrainingBots } from './technical/ai-visibility/ai-training-bots.ts';
import { aiUserFetchersBlocked } from './technical/ai-visibility/ai-user-fetchers-blocked.ts';
import { llmsTxtInvalid } from './technical/ai-visibility/llms-txt-invalid.ts';
import { llmsTxtMissing } from './technical/ai-visibility/llms-txt-missing.ts';
import { mainLandmarkMissing } from './technical/ai-visibility/main-landmark-missing.ts';
import { canonicalChain } from './technical/canonical/canonical-chain.ts';
import { canonicalConflict } from './technical/canonical/canonical-conflict.ts';
import { canonicalInBody } from './technical/canonical/canonical-in-body.ts';
import { canonicalInvalid } from './technical/canonical/canonical-invalid.ts';
import { canonicalMissing } from './technical/canonical/canonical-missing.ts';
import { canonicalOtherContent } from './technical/canonical/canonical-other-content.ts';
import { canonicalOtherHost } from './technical/canonical/canonical-other-host.ts';
import { canonicalOtherLanguage } from './technical/canonical/canonical-other-language.ts';
import { canonicalToError } from './technical/canonical/canonical-to-error.ts';
import { canonicalToNoindex } from './technical/canonical/canonical-to-noindex.ts';
import { canonicalToRedirect } from './technical/canonical/canonical-to-redirect.ts';
import { canonicalToRoot } from './technical/canonical/canonical-to-root.ts';
import { wwwDuplicate } from './technical/canonical/www-duplicate.ts';
import { robotsBlocksAll } from './technical/crawling/robots-blocks-all.ts';
import { robotsBlocksResources } from './technical/crawling/robots-blocks-resources.ts';
import { robotsBotGroupOverrides } from './technical/crawling/robots-bot-group-overrides.ts';
import { robotsHtml } from './technical/crawling/robots-html.ts';
import { robotsMissing } from './technical/crawling/robots-missing.ts';
import { robotsNoSitemap } from './technical/crawling/robots-no-sitemap.ts';
import { robotsServerError } from './technical/crawling/robots-server-error.ts';
import { robotsSyntax } from './technical/crawling/robots-syntax.ts';
import { robotsTooLarge } from './technical/crawling/robots-too-large.ts';
import { charsetMissing } from './technical/html/charset-missing.ts';
import { doctypeMissing } from './technical/html/doctype-missing.ts';
import { frames } from './technical/html/frames.ts';
import { headBroken } from './technical/html/head-broken.ts';
import { xmlError } from './technical/html/xml-error.ts';
import { certificateProblem } from './technical/https/certificate-problem.ts';
import { httpInternalLinks } from './technical/https/http-internal-links.ts';
import { httpNotRedirected } from './technical/https/http-not-redirected.ts';
import { httpsMissing } from './technical/https/https-missing.ts';
import { mixedContent } from './technical/https/mixed-content.ts';
import { heroImageLazy } from './technical/images/hero-image-lazy.ts';
import { imageBroken } from './technical/images/image-broken.ts';
import { imageLegacyFormat } from './technical/images/image-legacy-format.ts';
import { imageNoSize } from './technical/images/image-no-size.ts';
import { imageNotLazy } from './technical/images/image-not-lazy.ts';
import { imageTooHeavy } from './technical/images/image-too-heavy.ts';
import { emptyList } from './technical/indexability/empty-list.ts';
import { googlebotRefused } from './technical/indexability/googlebot-refused.ts';
import { loginWall } from './technical/indexability/login-wall.ts';
import { maxImagePreview } from './technical/indexability/max-image-preview.ts';
import { missing404 } from './technical/indexability/missing-404.ts';
import { nofollowPage } from './technical/indexability/nofollow-page.ts';
import { noimageindex } from './technical/indexability/noimageindex.ts';
import { noindexByAgent } from './technical/indexability/noindex-by-agent.ts';
import { noindexHeader } from './technical/indexability/noindex-header.ts';
import { noindexMeta } from './technical/indexability/noindex-meta.ts';
import { nosnippet } from './technical/indexability/nosnippet.ts';
import { pageHttpError } from './technical/indexability/page-http-error.ts';
import { pageUnreachable } from './technical/indexability/page-unreachable.ts';
import { robotsBlocksPage } from './technical/indexability/robots-blocks-page.ts';
import { soft404 } from './technical/indexability/soft-404.ts';
import { stagingIndexable } from './technical/indexability/staging-indexable.ts';
import { hreflangBadTarget } from './technical/international/hreflang-bad-target.ts';
import { hreflangDuplicate } from './technical/international/hreflang-duplicate.ts';
import { hreflangInBody } from './technical/international/hreflang-in-body.ts';
import { hreflangInvalidCode } from './technical/international/hreflang-invalid-code.ts';
import { hreflangInvalidRegion } from './technical/international/hreflang-invalid-region.ts';
import { hreflangNoReturn } from './technical/international/hreflang-no-return.ts';
import { hreflangNoSelf } from './technical/international/hreflang-no-self.ts';
import { hreflangNoXdefault } from './technical/international/hreflang-no-xdefault.ts';
import { hreflangRelative } from './technical/international/hreflang-relative.ts';
import { htmlLangInvalid } from './technical/international/html-lang-invalid.ts';
import { htmlLangMissing } from './technical/international/html-lang-missing.ts';
import { langContentMismatch } from './technical/international/lang-content-mismatch.ts';
import { brokenExternalLink } from './technical/links/broken-external-link.ts';
import { brokenInternalLink } from './technical/links/broken-internal-link.ts';
import { deadEndPage } from './technical/links/dead-end-page.ts';
import { deepPage } from './technical/links/deep-page.ts';
import { fragmentDead } from './technical/links/fragment-dead.ts';
import { internalNofollow } from './technical/links/internal-nofollow.ts';
import { linkToRedirect } from './technical/links/link-to-redirect.ts';
import { localhostLinks } from './technical/links/localhost-links.ts';
import { orphanPage } from './technical/links/orphan-page.ts';
import { uncrawlableLink } from './technical/links/uncrawlable-link.ts';
import { phoneLinksMissing } from './technical/mobile/phone-links-missing.ts';
import { phoneSchemaMissing } from './technical/mobile/phone-schema-missing.ts';
import { phoneTextMissing } from './technical/mobile/phone-text-missing.ts';
import { viewportBlocksZoom } from './technical/mobile/viewport-blocks-zoom.ts';
import { viewportMissing } from './technical/mobile/viewport-missing.ts';
import { domTooBig } from './technical/performance/dom-too-big.ts';
import { htmlTooLarge } from './technical/performance/html-too-large.ts';
import { noCacheHeaders } from './technical/performance/no-cache-headers.ts';
import { noCompression } from './technical/performance/no-compression.ts';
import { noHttp2 } from './technical/performance/no-http2.ts';
import { renderBlocking } from './technical/performance/render-blocking.ts';
import { slowTtfb } from './technical/performance/slow-ttfb.ts';
import { tooManyThirdParties } from './technical/performance/too-many-third-parties.ts';
import { jsRedirect } from './technical/redirects/js-redirect.ts';
import { metaRefreshRedirect } from './technical/redirects/meta-refresh-redirect.ts';
import { redirectChain } from './technical/redirects/redirect-chain.ts';
import { redirectLoop } from './technical/redirects/redirect-loop.ts';
import { redirectToError } from './technical/redirects/redirect-to-error.ts';
import { temporaryRedirect } from './technical/redirects/temporary-redirect.ts';
import { jsOnlyContent } from './technical/rendering/js-only-content.ts';
import { cspMissing } from './technical/security-headers/csp-missing.ts';
import { frameProtection } from './technical/security-headers/frame-protection.ts';
import { hstsMissing } from './technical/security-headers/hsts-missing.ts';
import { nosniffMissing } from './technical/security-headers/nosniff-missing.ts';
import { sitemapBadUrls } from './technical/sitemap/sitemap-bad-urls.ts';
import { sitemapBlocked } from './technical/sitemap/sitemap-blocked.ts';
import { sitemapForeignHost } from './technical/sitemap/sitemap-foreign-host.ts';
import { sitemapImageBroken } from './technical/sitemap/sitemap-image-broken.ts';
import { sitemapIncomplete } from './technical/sitemap/sitemap-incomplete.ts';
import { sitemapIndexBroken } from './technical/sitemap/sitemap-index-broken.ts';
import { sitemapInvalid } from './technical/sitemap/sitemap-invalid.ts';
import { sitemapLastmod } from './technical/sitemap/sitemap-lastmod.ts';
import { sitemapMissing } from './technical/sitemap/sitemap-missing.ts';
import { sitemapNews } from './technical/sitemap/sitemap-news.ts';
import { sitemapNoindex } from './technical/sitemap/sitemap-noindex.ts';
import { sitemapNoncanonical } from './technical/sitemap/sitemap-noncanonical.ts';
import { sitemapTooLarge } from './technical/sitemap/sitemap-too-large.ts';
import { sitemapVideo } from './technical/sitemap/sitemap-video.ts';
import { urlDoubleSlash } from './technical/url/url-double-slash.ts';
import { urlSessionParams } from './technical/url/url-session-params.ts';
import { urlTooLong } from './technical/url/url-too-long.ts';
import { urlUnderscores } from './technical/url/url-underscores.ts';
import { analyticsDuplicate } from './tools/analytics-duplicate.ts';
import { analyticsMissing } from './tools/analytics-missing.ts';
import { cookieConsentMissing } from './tools/cookie-consent-missing.ts';
import { faviconMissing } from './tools/favicon-missing.ts';
import { feedMissing } from './tools/feed-missing.ts';
import { manifestInvalid } from './tools/manifest-invalid.ts';
import { searchConsoleMissing } from './tools/search-console-missing.ts';

export const ALL_CHECKS: readonly Check[] = [
  answerNotFirst,
  authorMissing,
  dateMissing,
  noEvidence,
  noListsTables,
  noQuestionContent,
  passageTooLong,
  duplicateContent,
  hardToRead,
  hiddenText,
  keywordStuffing,
  placeholderText,
  thinContent,
  descriptionDuplicate,
  descriptionLength,
  descriptionMissing,
  descriptionMultiple,
  h1Missing,
  h1Multiple,
  headingEmpty,
  headingOrder,
  noSubheadings,
  imageAltMissing,
  imageAltPoor,
  linkEmpty,
  linkTextGeneric,
  titleDuplicate,
  titleGeneric,
  titleH1Mismatch,
  titleMissing,
  titleMultiple,
  titleTooLong,
  titleTooShort,
  contactMissing,
  articleSchema,
  breadcrumbSchema,
  eventSchema,
  faqSchema,
  jobpostingSchema,
  jsonldContext,
  jsonldParseError,
  localbusinessSchema,
  merchantPolicies,
  organizationIncomplete,
  productSchema,
  recipeSchema,
  reviewSchema,
  richResultIncomplete,
  schemaDeprecated,
  schemaInvalidValues,
  schemaMismatch,
  schemaMissing,
  schemaUnknownType,
  softwareSchema,
  videoSchema,
  websiteSchema,
  ogDescriptionMissing,
  ogImageInvalid,
  ogMissing,
  ogUrlMismatch,
  socialDuplicate,
  socialProfilesMissing,
  twitterCardMissing,
  aiBotsServedDifferently,
  aiSearchBotsBlocked,
  aiTrainingBots,
  aiUserFetchersBlocked,
  llmsTxtInvalid,
  llmsTxtMissing,
  mainLandmarkMissing,
  canonicalChain,
  canonicalConflict,
  canonicalInBody,
  canonicalInvalid,
  canonicalMissing,
  canonicalOtherContent,
  canonicalOtherHost,
  canonicalOtherLanguage,
  canonicalToError,
  canonicalToNoindex,
  canonicalToRedirect,
  canonicalToRoot,
  wwwDuplicate,
  robotsBlocksAll,
  robotsBlocksResources,
  robotsBotGroupOverrides,
  robotsHtml,
  robotsMissing,
  robotsNoSitemap,
  robotsServerError,
  robotsSyntax,
  robotsTooLarge,
  charsetMissing,
  doctypeMissing,
  frames,
  headBroken,
  xmlError,
  certificateProblem,
  httpInternalLinks,
  httpNotRedirected,
  httpsMissing,
  mixedContent,
  heroImageLazy,
  imageBroken,
  imageLegacyFormat,
  imageNoSize,
  imageNotLazy,
  imageTooHeavy,
  emptyList,
  googlebotRefused,
  loginWall,
  maxImagePreview,
  missing404,
  nofollowPage,
  noimageindex,
  noindexByAgent,
  noindexHeader,
  noindexMeta,
  nosnippet,
  pageHttpError,
  pageUnreachable,
  robotsBlocksPage,
  soft404,
  stagingIndexable,
  hreflangBadTarget,
  hreflangDuplicate,
  hreflangInBody,
  hreflangInvalidCode,
  hreflangInvalidRegion,
  hreflangNoReturn,
  hreflangNoSelf,
  hreflangNoXdefault,
  hreflangRelative,
  htmlLangInvalid,
  htmlLangMissing,
  langContentMismatch,
  brokenExternalLink,
  brokenInternalLink,
  deadEndPage,
  deepPage,
  fragmentDead,
  internalNofollow,
  linkToRedirect,
  localhostLinks,
  orphanPage,
  uncrawlableLink,
  phoneLinksMissing,
  phoneSchemaMissing,
  phoneTextMissing,
  viewportBlocksZoom,
  viewportMissing,
  domTooBig,
  htmlTooLarge,
  noCacheHeaders,
  noCompression,
  noHttp2,
  renderBlocking,
  slowTtfb,
  tooManyThirdParties,
  jsRedirect,
  metaRefreshRedirect,
  redirectChain,
  redirectLoop,
  redirectToError,
  temporaryRedirect,
  jsOnlyContent,
  cspMissing,
  frameProtection,
  hstsMissing,
  nosniffMissing,
  sitemapBadUrls,
  sitemapBlocked,
  sitemapForeignHost,
  sitemapImageBroken,
  sitemapIncomplete,
  sitemapIndexBroken,
  sitemapInvalid,
  sitemapLastmod,
  sitemapMissing,
  sitemapNews,
  sitemapNoindex,
  sitemapNoncanonical,
  sitemapTooLarge,
  sitemapVideo,
  urlDoubleSlash,
  urlSessionParams,
  urlTooLong,
  urlUnderscores,
  analyticsDuplicate,
  analyticsMissing,
  cookieConsentMissing,
  faviconMissing,
  feedMissing,
  manifestInvalid,
  searchConsoleMissing,
];
