/** All checks, sorted by id. */
import type { Check } from './check.ts';
import { canonicalChain } from './technical/canonical-chain.ts';
import { canonicalConflict } from './technical/canonical-conflict.ts';
import { canonicalInBody } from './technical/canonical-in-body.ts';
import { canonicalInvalid } from './technical/canonical-invalid.ts';
import { canonicalMissing } from './technical/canonical-missing.ts';
import { canonicalOtherLanguage } from './technical/canonical-other-language.ts';
import { canonicalToError } from './technical/canonical-to-error.ts';
import { canonicalToNoindex } from './technical/canonical-to-noindex.ts';
import { canonicalToRedirect } from './technical/canonical-to-redirect.ts';
import { canonicalToRoot } from './technical/canonical-to-root.ts';
import { httpNotRedirected } from './technical/http-not-redirected.ts';
import { jsOnlyContent } from './technical/js-only-content.ts';
import { jsRedirect } from './technical/js-redirect.ts';
import { maxImagePreview } from './technical/max-image-preview.ts';
import { metaRefreshRedirect } from './technical/meta-refresh-redirect.ts';
import { missing404 } from './technical/missing-404.ts';
import { nofollowPage } from './technical/nofollow-page.ts';
import { noindexHeader } from './technical/noindex-header.ts';
import { noindexMeta } from './technical/noindex-meta.ts';
import { nosnippet } from './technical/nosnippet.ts';
import { pageHttpError } from './technical/page-http-error.ts';
import { pageUnreachable } from './technical/page-unreachable.ts';
import { redirectChain } from './technical/redirect-chain.ts';
import { redirectLoop } from './technical/redirect-loop.ts';
import { redirectToError } from './technical/redirect-to-error.ts';
import { robotsBlocksPage } from './technical/robots-blocks-page.ts';
import { robotsBlocksResources } from './technical/robots-blocks-resources.ts';
import { soft404 } from './technical/soft-404.ts';
import { temporaryRedirect } from './technical/temporary-redirect.ts';
import { wwwDuplicate } from './technical/www-duplicate.ts';

export const CHECKS: readonly Check[] = [
  canonicalChain,
  canonicalConflict,
  canonicalInBody,
  canonicalInvalid,
  canonicalMissing,
  canonicalOtherLanguage,
  canonicalToError,
  canonicalToNoindex,
  canonicalToRedirect,
  canonicalToRoot,
  httpNotRedirected,
  jsOnlyContent,
  jsRedirect,
  maxImagePreview,
  metaRefreshRedirect,
  missing404,
  nofollowPage,
  noindexHeader,
  noindexMeta,
  nosnippet,
  pageHttpError,
  pageUnreachable,
  redirectChain,
  redirectLoop,
  redirectToError,
  robotsBlocksPage,
  robotsBlocksResources,
  soft404,
  temporaryRedirect,
  wwwDuplicate,
];
