/** The checks of the category technical, sorted by id. */
import type { Check } from './check.ts';
import { aiBotsServedDifferently } from './technical/ai-bots-served-differently.ts';
import { aiSearchBotsBlocked } from './technical/ai-search-bots-blocked.ts';
import { aiTrainingBots } from './technical/ai-training-bots.ts';
import { aiUserFetchersBlocked } from './technical/ai-user-fetchers-blocked.ts';
import { brokenExternalLink } from './technical/broken-external-link.ts';
import { brokenInternalLink } from './technical/broken-internal-link.ts';
import { canonicalChain } from './technical/canonical-chain.ts';
import { canonicalConflict } from './technical/canonical-conflict.ts';
import { canonicalInBody } from './technical/canonical-in-body.ts';
import { canonicalInvalid } from './technical/canonical-invalid.ts';
import { canonicalMissing } from './technical/canonical-missing.ts';
import { canonicalOtherHost } from './technical/canonical-other-host.ts';
import { canonicalOtherLanguage } from './technical/canonical-other-language.ts';
import { canonicalToError } from './technical/canonical-to-error.ts';
import { canonicalToNoindex } from './technical/canonical-to-noindex.ts';
import { canonicalToRedirect } from './technical/canonical-to-redirect.ts';
import { canonicalToRoot } from './technical/canonical-to-root.ts';
import { certificateProblem } from './technical/certificate-problem.ts';
import { charsetMissing } from './technical/charset-missing.ts';
import { cspMissing } from './technical/csp-missing.ts';
import { deadEndPage } from './technical/dead-end-page.ts';
import { deepPage } from './technical/deep-page.ts';
import { doctypeMissing } from './technical/doctype-missing.ts';
import { domTooBig } from './technical/dom-too-big.ts';
import { frameProtection } from './technical/frame-protection.ts';
import { frames } from './technical/frames.ts';
import { headBroken } from './technical/head-broken.ts';
import { heroImageLazy } from './technical/hero-image-lazy.ts';
import { hreflangBadTarget } from './technical/hreflang-bad-target.ts';
import { hreflangInvalidCode } from './technical/hreflang-invalid-code.ts';
import { hreflangInvalidRegion } from './technical/hreflang-invalid-region.ts';
import { hreflangNoReturn } from './technical/hreflang-no-return.ts';
import { hreflangNoSelf } from './technical/hreflang-no-self.ts';
import { hreflangNoXdefault } from './technical/hreflang-no-xdefault.ts';
import { hreflangRelative } from './technical/hreflang-relative.ts';
import { hstsMissing } from './technical/hsts-missing.ts';
import { htmlLangInvalid } from './technical/html-lang-invalid.ts';
import { htmlLangMissing } from './technical/html-lang-missing.ts';
import { htmlTooLarge } from './technical/html-too-large.ts';
import { httpInternalLinks } from './technical/http-internal-links.ts';
import { httpNotRedirected } from './technical/http-not-redirected.ts';
import { httpsMissing } from './technical/https-missing.ts';
import { imageBroken } from './technical/image-broken.ts';
import { imageLegacyFormat } from './technical/image-legacy-format.ts';
import { imageNoSize } from './technical/image-no-size.ts';
import { imageNotLazy } from './technical/image-not-lazy.ts';
import { imageTooHeavy } from './technical/image-too-heavy.ts';
import { internalNofollow } from './technical/internal-nofollow.ts';
import { jsOnlyContent } from './technical/js-only-content.ts';
import { jsRedirect } from './technical/js-redirect.ts';
import { langContentMismatch } from './technical/lang-content-mismatch.ts';
import { linkToRedirect } from './technical/link-to-redirect.ts';
import { llmsTxtInvalid } from './technical/llms-txt-invalid.ts';
import { llmsTxtMissing } from './technical/llms-txt-missing.ts';
import { localhostLinks } from './technical/localhost-links.ts';
import { loginWall } from './technical/login-wall.ts';
import { mainLandmarkMissing } from './technical/main-landmark-missing.ts';
import { maxImagePreview } from './technical/max-image-preview.ts';
import { metaRefreshRedirect } from './technical/meta-refresh-redirect.ts';
import { missing404 } from './technical/missing-404.ts';
import { mixedContent } from './technical/mixed-content.ts';
import { noCacheHeaders } from './technical/no-cache-headers.ts';
import { noCompression } from './technical/no-compression.ts';
import { noHttp2 } from './technical/no-http2.ts';
import { nofollowPage } from './technical/nofollow-page.ts';
import { noindexHeader } from './technical/noindex-header.ts';
import { noindexMeta } from './technical/noindex-meta.ts';
import { nosniffMissing } from './technical/nosniff-missing.ts';
import { nosnippet } from './technical/nosnippet.ts';
import { orphanPage } from './technical/orphan-page.ts';
import { pageHttpError } from './technical/page-http-error.ts';
import { pageUnreachable } from './technical/page-unreachable.ts';
import { redirectChain } from './technical/redirect-chain.ts';
import { redirectLoop } from './technical/redirect-loop.ts';
import { redirectToError } from './technical/redirect-to-error.ts';
import { renderBlocking } from './technical/render-blocking.ts';
import { robotsBlocksAll } from './technical/robots-blocks-all.ts';
import { robotsBlocksPage } from './technical/robots-blocks-page.ts';
import { robotsBlocksResources } from './technical/robots-blocks-resources.ts';
import { robotsBotGroupOverrides } from './technical/robots-bot-group-overrides.ts';
import { robotsHtml } from './technical/robots-html.ts';
import { robotsMissing } from './technical/robots-missing.ts';
import { robotsNoSitemap } from './technical/robots-no-sitemap.ts';
import { robotsServerError } from './technical/robots-server-error.ts';
import { robotsSyntax } from './technical/robots-syntax.ts';
import { robotsTooLarge } from './technical/robots-too-large.ts';
import { sitemapBadUrls } from './technical/sitemap-bad-urls.ts';
import { sitemapBlocked } from './technical/sitemap-blocked.ts';
import { sitemapForeignHost } from './technical/sitemap-foreign-host.ts';
import { sitemapIncomplete } from './technical/sitemap-incomplete.ts';
import { sitemapInvalid } from './technical/sitemap-invalid.ts';
import { sitemapLastmod } from './technical/sitemap-lastmod.ts';
import { sitemapMissing } from './technical/sitemap-missing.ts';
import { sitemapNoindex } from './technical/sitemap-noindex.ts';
import { sitemapNoncanonical } from './technical/sitemap-noncanonical.ts';
import { sitemapTooLarge } from './technical/sitemap-too-large.ts';
import { slowTtfb } from './technical/slow-ttfb.ts';
import { soft404 } from './technical/soft-404.ts';
import { temporaryRedirect } from './technical/temporary-redirect.ts';
import { tooManyThirdParties } from './technical/too-many-third-parties.ts';
import { uncrawlableLink } from './technical/uncrawlable-link.ts';
import { urlSessionParams } from './technical/url-session-params.ts';
import { urlTooLong } from './technical/url-too-long.ts';
import { urlUnderscores } from './technical/url-underscores.ts';
import { viewportBlocksZoom } from './technical/viewport-blocks-zoom.ts';
import { viewportMissing } from './technical/viewport-missing.ts';
import { wwwDuplicate } from './technical/www-duplicate.ts';

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
