/** Everything an audit kept of one page. */
import * as z from 'zod';
import { LinkView, NO_RECORD } from './links.ts';
import { PageView } from './pages.ts';

const Total = z.number().int();

export const PageRecordView = z.object({
  /** The redirects on the way, and the answer. */
  chain: z.array(z.object({ url: z.string(), status: Total.nullable() })),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Robots metas and X-Robots-Tag lines; `bot`: null for all. */
  directives: z.array(z.object({ place: z.string(), bot: z.string().nullable(), value: z.string() })),
  canonicals: z.array(z.object({ place: z.string(), url: z.string() })),
  alternates: z.array(z.object({ hreflang: z.string(), url: z.string() })),
  lang: z.string(),
  charset: z.string(),
  headings: z.array(z.object({ level: Total, text: z.string(), hidden: z.boolean() })),
  data: z.array(
    z.object({
      syntax: z.enum(['json-ld', 'microdata', 'rdfa']),
      types: z.array(z.string()),
      /** As JSON-LD; null if it could not be read, or is too large to keep. */
      nodes: z.array(z.unknown()).nullable(),
      error: z.string().nullable(),
    }),
  ),
  images: z.array(
    z.object({
      url: z.string(),
      /** Null without the attribute. */
      alt: z.string().nullable(),
      width: z.string().nullable(),
      height: z.string().nullable(),
      lazy: z.boolean(),
    }),
  ),
  social: z.array(z.object({ name: z.string(), content: z.string() })),
  /** The main content, at most 20 KB. */
  markdown: z.string(),
  /** Entries of longer lists that were not kept. */
  leftOut: z.object({
    headers: Total.optional(),
    alternates: Total.optional(),
    headings: Total.optional(),
    data: Total.optional(),
    images: Total.optional(),
    social: Total.optional(),
  }),
});
export type PageRecordView = z.infer<typeof PageRecordView>;

/** The first links, and how many there are. */
const SomeLinks = z.object({ total: Total, links: z.array(LinkView) });

export const PageQuery = z.object({
  /** An address as the list of pages has it. Default: the first page, which is the home page. */
  url: z.string().max(4096).optional(),
});
export type PageQuery = z.infer<typeof PageQuery>;

export const PageResponse = z.object({
  success: z.literal(true),
  data: z.object({
    page: PageView,
    record: PageRecordView.nullable(),
    /** Why there is no record; null if there is one. */
    noRecord: z.enum(NO_RECORD).nullable(),
    /** Null without a record. `inbound`: links on other pages that lead here; `outbound`: its own. */
    links: z.object({ inbound: SomeLinks, outbound: SomeLinks }).nullable(),
  }),
});
export type PageResponse = z.infer<typeof PageResponse>;
