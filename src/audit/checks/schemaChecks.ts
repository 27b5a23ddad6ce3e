/** The checks of the category schema, sorted by id. */
import type { Check } from './check.ts';
import { articleSchema } from './schema/article-schema.ts';
import { breadcrumbSchema } from './schema/breadcrumb-schema.ts';
import { eventSchema } from './schema/event-schema.ts';
import { faqSchema } from './schema/faq-schema.ts';
import { jobpostingSchema } from './schema/jobposting-schema.ts';
import { jsonldContext } from './schema/jsonld-context.ts';
import { jsonldParseError } from './schema/jsonld-parse-error.ts';
import { localbusinessSchema } from './schema/localbusiness-schema.ts';
import { organizationIncomplete } from './schema/organization-incomplete.ts';
import { productSchema } from './schema/product-schema.ts';
import { recipeSchema } from './schema/recipe-schema.ts';
import { reviewSchema } from './schema/review-schema.ts';
import { schemaDeprecated } from './schema/schema-deprecated.ts';
import { schemaInvalidValues } from './schema/schema-invalid-values.ts';
import { schemaMismatch } from './schema/schema-mismatch.ts';
import { schemaMissing } from './schema/schema-missing.ts';
import { schemaUnknownType } from './schema/schema-unknown-type.ts';
import { softwareSchema } from './schema/software-schema.ts';
import { videoSchema } from './schema/video-schema.ts';
import { websiteSchema } from './schema/website-schema.ts';

export const SCHEMA_CHECKS: readonly Check[] = [
  articleSchema,
  breadcrumbSchema,
  eventSchema,
  faqSchema,
  jobpostingSchema,
  jsonldContext,
  jsonldParseError,
  localbusinessSchema,
  organizationIncomplete,
  productSchema,
  recipeSchema,
  reviewSchema,
  schemaDeprecated,
  schemaInvalidValues,
  schemaMismatch,
  schemaMissing,
  schemaUnknownType,
  softwareSchema,
  videoSchema,
  websiteSchema,
];
