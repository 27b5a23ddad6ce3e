import * as z from 'zod';
import { SHARE_DESCRIPTION_MAX_LENGTH, SHARE_TITLE_MAX_LENGTH } from '../../model/limits.ts';
import { EXPIRY_HOURS, SHARE_MODES, SHARED_PARTS } from '../../model/shares.ts';
import { ActionStats, ActionView } from './actions.ts';
import { CrawlSettingsView, NotJudged } from './jobs.ts';
import { PageLimit } from './paging.ts';

export const SharedPart = z.enum(SHARED_PARTS);
export type SharedPart = z.infer<typeof SharedPart>;
export const ShareMode = z.enum(SHARE_MODES);
export type ShareMode = z.infer<typeof ShareMode>;

const JOB_REQUIRED = 'Job ID is required to create a share link';

/**
 * Removes control characters other than line breaks, and bidirectional marks that would garble the text around the link
 * where it is posted.
 */
const visible = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n]|[\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu, '').trim();
const oneLine = (text: string): string => visible(text).replaceAll(/\s+/g, ' ');

export const CreateShareRequest = z.object({
  jobId: z.string(JOB_REQUIRED).trim().min(1, JOB_REQUIRED).max(200),
  /** Without one, the title names the site if `job_metadata` is shared, and is just 'SEO analysis' otherwise. */
  title: z.string().trim().max(SHARE_TITLE_MAX_LENGTH).transform(oneLine).optional(),
  description: z.string().trim().max(SHARE_DESCRIPTION_MAX_LENGTH).transform(visible).optional(),
  sharedContent: z
    .array(
      z
        .enum([...SHARED_PARTS, 'progress_tracking'])
        .refine((part): part is SharedPart => part !== 'progress_tracking', 'Progress tracking is coming soon'),
    )
    .min(1, 'Select at least one section to share')
    .max(10)
    .optional(),
  /** Default: full with full access, otherwise preview. */
  shareMode: ShareMode.optional(),
  /** Hours from now; 0 or null: never. */
  expiresIn: z
    .literal(EXPIRY_HOURS, `It must be one of ${EXPIRY_HOURS.join(', ')} hours`)
    .nullable()
    .optional(),
});
export type CreateShareRequest = z.input<typeof CreateShareRequest>;
export const CreateShareResponse = z.object({
  success: z.literal(true),
  data: z.object({ id: z.string(), shareUrl: z.string() }),
});
export type CreateShareResponse = z.infer<typeof CreateShareResponse>;

export const ShareItem = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  created_at: z.string(),
  view_count: z.number().int(),
  expires_at: z.string().nullable(),
  /** Not revoked; for its expiry see `expires_at`. */
  is_active: z.boolean(),
  shared_content: z.array(SharedPart),
  share_mode: ShareMode,
  /**
   * Null if the link has ended, or if the URL cannot be rebuilt because it was created under another installation
   * secret.
   */
  shareUrl: z.string().nullable(),
  job_id: z.string(),
  preview_views: z.number().int(),
  sign_up_clicks: z.number().int(),
  sign_ups: z.number().int(),
});
export type ShareItem = z.infer<typeof ShareItem>;

export const SharesQuery = z.object({
  limit: PageLimit,
  cursor: z.string().max(200).optional(),
});
export const SharesResponse = z.object({
  success: z.literal(true),
  data: z.array(ShareItem),
  cursor: z.string().nullable(),
});
export type SharesResponse = z.infer<typeof SharesResponse>;
export const RevokeShareResponse = z.object({ success: z.literal(true), message: z.string() });

/** Data of both pages of a shared link: the tabbed texts and the read-only dashboard. */
export const SharedView = z.object({
  title: z.string(),
  description: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  viewCount: z.number().int(),
  sharedContent: z.array(SharedPart),
  /** Facts about the audit; `url` is null if they are not shared. */
  metadata: z.object({ url: z.string().nullable() }),
  /** Markdown documents by name. */
  content: z.record(z.string(), z.string()),
  actions: z.array(ActionView),
  /** As counted for the owner; null if the items are not shared. */
  stats: ActionStats.nullable(),
  executiveSummary: z.string().nullable(),
  /** Null if the facts are not shared. */
  jobId: z.string().nullable(),
  /** Null when the facts are not shared. */
  job: z
    .object({
      url: z.string(),
      created_at: z.string(),
      completed_at: z.string().nullable(),
      status: z.string(),
      /** Why the result is partial. */
      reason: z.string().nullable(),
      score: z.number().nullable(),
      /** Why the site has no score. */
      not_judged: NotJudged.nullable(),
      /** What the owner set for the crawl; null: nothing. */
      settings: CrawlSettingsView.nullable(),
      pages_done: z.number().int(),
    })
    .nullable(),
  isPreview: z.boolean(),
  previewMode: z.object({ actionsShown: z.number().int(), totalActions: z.number().int() }),
});
export type SharedView = z.infer<typeof SharedView>;
export const SharedResponse = z.object({ success: z.literal(true), data: SharedView });
export type SharedResponse = z.infer<typeof SharedResponse>;

/** Whether an open page may stay open. It is read again when `isPreview` is not what it shows. */
export const ShareStateResponse = z.object({ success: z.literal(true), isPreview: z.boolean() });
export type ShareStateResponse = z.infer<typeof ShareStateResponse>;

export const PreviewEventRequest = z.object({
  shareToken: z.string().max(200),
  jobId: z.string().max(200).nullable().optional(),
  timestamp: z.string().max(40).optional(),
});
export type PreviewEventRequest = z.infer<typeof PreviewEventRequest>;
export const PreviewEventResponse = z.object({ success: z.literal(true) });
