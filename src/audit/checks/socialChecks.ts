/** The checks of the category social, sorted by id. */
import type { Check } from './check.ts';
import { ogDescriptionMissing } from './social/og-description-missing.ts';
import { ogImageInvalid } from './social/og-image-invalid.ts';
import { ogMissing } from './social/og-missing.ts';
import { ogUrlMismatch } from './social/og-url-mismatch.ts';
import { socialDuplicate } from './social/social-duplicate.ts';
import { socialProfilesMissing } from './social/social-profiles-missing.ts';
import { twitterCardMissing } from './social/twitter-card-missing.ts';

export const SOCIAL_CHECKS: readonly Check[] = [
  ogDescriptionMissing,
  ogImageInvalid,
  ogMissing,
  ogUrlMismatch,
  socialDuplicate,
  socialProfilesMissing,
  twitterCardMissing,
];
