/** The checks of the category schema, sorted by id. */
import type { Check } from './check.ts';
import { articleSchema } from './schema/article-schema.ts';
import { breadcrumbSchema } from './schema/breadcrumb-schema.ts';
import { faqSchema } from './schema/faq-schema.ts';
import { jsonldContext } from './schema/jsonld-context.ts';
import { jsonldParseError } from './schema/jsonld-parse-error.ts';
import { organizationIncomplete } from './schema/organization-incomplete.ts';
import { productSchema } from './schema/product-schema.ts';
import { schemaDeprecated } from './schema/schema-deprecated.ts';
import { schemaInvalidValues } from './schema/schema-invalid-values.ts';
import { schemaMissing } from './schema/schema-missing.ts';
import { websiteSchema } from './schema/website-schema.ts';

export const SCHEMA_CHECKS: readonly Check[] = [
  articleSchema,
  breadcrumbSchema,
  faqSchema,
  jsonldContext,
  jsonldParseError,
  organizationIncomplete,
  productSchema,
  schemaDeprecated,
  schemaInvalidValues,
  schemaMissing,
  websiteSchema,
];
