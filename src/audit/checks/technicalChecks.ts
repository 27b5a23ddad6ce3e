/** The checks of the category technical, sorted by id. */
import type { Check } from './check.ts';
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
import { loginWall } from './technical/indexability/login-wall.ts';
import { maxImagePreview } from './technical/indexability/max-image-preview.ts';
import { missing404 } from './technical/indexability/missing-404.ts';
import { nofollowPage } from './technical/indexability/nofollow-page.ts';
import { noindexHeader } from './technical/indexability/noindex-header.ts';
import { noindexMeta } from './technical/indexability/noindex-meta.ts';
import { nosnippet } from './technical/indexability/nosnippet.ts';
import { pageHttpError } from './technical/indexability/page-http-error.ts';
import { pageUnreachable } from './technical/indexability/page-unreachable.ts';
import { robotsBlocksPage } from './technical/indexability/robots-blocks-page.ts';
import { soft404 } from './technical/indexability/soft-404.ts';
import { hreflangBadTarget } from './technical/international/hreflang-bad-target.ts';
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
import { internalNofollow } from './technical/links/internal-nofollow.ts';
import { linkToRedirect } from './technical/links/link-to-redirect.ts';
import { localhostLinks } from './technical/links/localhost-links.ts';
import { orphanPage } from './technical/links/orphan-page.ts';
import { uncrawlableLink } from './technical/links/uncrawlable-link.ts';
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
import { sitemapIncomplete } from './technical/sitemap/sitemap-incomplete.ts';
import { sitemapInvalid } from './technical/sitemap/sitemap-invalid.ts';
import { sitemapLastmod } from './technical/sitemap/sitemap-lastmod.ts';
import { sitemapMissing } from './technical/sitemap/sitemap-missing.ts';
import { sitemapNoindex } from './technical/sitemap/sitemap-noindex.ts';
import { sitemapNoncanonical } from './technical/sitemap/sitemap-noncanonical.ts';
import { sitemapTooLarge } from './technical/sitemap/sitemap-too-large.ts';
import { urlSessionParams } from './technical/url/url-session-params.ts';
import { urlTooLong } from './technical/url/url-too-long.ts';
import { urlUnderscores } from './technical/url/url-underscores.ts';

export const TECHNICAL_CHECKS: readonly Check[] = [
  aiBotsServedDifferently,
  aiSearchBotsBlocked,
  aiTrainingBots,
  aiUserFetchersBlocked,
  brokenExternalLink,
  brokenInternalLink,
  canonicalChain,
  canonicalConflict,
  canonicalInBody,
  canonicalInvalid,
  canonicalMissing,
  canonicalOtherHost,
  canonicalOtherLanguage,
  canonicalToError,
  canonicalToNoindex,
  canonicalToRedirect,
  canonicalToRoot,
  certificateProblem,
  charsetMissing,
  cspMissing,
  deadEndPage,
  deepPage,
  doctypeMissing,
  domTooBig,
  frameProtection,
  frames,
  headBroken,
  heroImageLazy,
  hreflangBadTarget,
  hreflangInvalidCode,
  hreflangInvalidRegion,
  hreflangNoReturn,
  hreflangNoSelf,
  hreflangNoXdefault,
  hreflangRelative,
  hstsMissing,
  htmlLangInvalid,
  htmlLangMissing,
  htmlTooLarge,
  httpInternalLinks,
  httpNotRedirected,
  httpsMissing,
  imageBroken,
  imageLegacyFormat,
  imageNoSize,
  imageNotLazy,
  imageTooHeavy,
  internalNofollow,
  jsOnlyContent,
  jsRedirect,
  langContentMismatch,
  linkToRedirect,
  llmsTxtInvalid,
  llmsTxtMissing,
  localhostLinks,
  loginWall,
  mainLandmarkMissing,
  maxImagePreview,
  metaRefreshRedirect,
  missing404,
  mixedContent,
  noCacheHeaders,
  noCompression,
  noHttp2,
  nofollowPage,
  noindexHeader,
  noindexMeta,
  nosniffMissing,
  nosnippet,
  orphanPage,
  pageHttpError,
  pageUnreachable,
  redirectChain,
  redirectLoop,
  redirectToError,
  renderBlocking,
  robotsBlocksAll,
  robotsBlocksPage,
  robotsBlocksResources,
  robotsBotGroupOverrides,
  robotsHtml,
  robotsMissing,
  robotsNoSitemap,
  robotsServerError,
  robotsSyntax,
  robotsTooLarge,
  sitemapBadUrls,
  sitemapBlocked,
  sitemapForeignHost,
  sitemapIncomplete,
  sitemapInvalid,
  sitemapLastmod,
  sitemapMissing,
  sitemapNoindex,
  sitemapNoncanonical,
  sitemapTooLarge,
  slowTtfb,
  soft404,
  temporaryRedirect,
  tooManyThirdParties,
  uncrawlableLink,
  urlSessionParams,
  urlTooLong,
  urlUnderscores,
  viewportBlocksZoom,
  viewportMissing,
  wwwDuplicate,
];
