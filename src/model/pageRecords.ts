/** What an audit keeps of each page beside its row, and of all links: shared by the engine, the log and the API. */
import { LINK_POSITIONS, type LinkPosition } from './findings.ts';

/** Lists of a record; of each only so much is kept. */
export const RECORD_LISTS = ['headers', 'alternates', 'headings', 'data', 'images', 'social'] as const;
export type RecordList = (typeof RECORD_LISTS)[number];

/** What looks like a secret is hidden in all texts. */
export type PageRecord = {
  readonly url: string;
  /** Each address on the way, the requested one first; `status`: null if it did not answer. */
  readonly chain: readonly { readonly url: string; readonly status: number | null }[];
  /** Names in lower case. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Robots metas and X-Robots-Tag lines; `bot`: null for all. */
  readonly directives: readonly { readonly place: string; readonly bot: string | null; readonly value: string }[];
  readonly canonicals: readonly { readonly place: string; readonly url: string }[];
  readonly alternates: readonly { readonly hreflang: string; readonly url: string }[];
  /** From here on empty if the answer was no HTML. */
  readonly lang: string;
  readonly charset: string;
  readonly headings: readonly { readonly level: number; readonly text: string; readonly hidden: boolean }[];
  /** `nodes`: as JSON-LD; null if it could not be read, or is too large to keep. */
  readonly data: readonly {
    readonly syntax: 'json-ld' | 'microdata' | 'rdfa';
    readonly types: readonly string[];
    readonly nodes: readonly unknown[] | null;
    readonly error: string | null;
  }[];
  /** `alt`: null without the attribute. Sizes as written. */
  readonly images: readonly {
    readonly url: string;
    readonly alt: string | null;
    readonly width: string | null;
    readonly height: string | null;
    readonly lazy: boolean;
  }[];
  /** Open Graph and Twitter tags. */
  readonly social: readonly { readonly name: string; readonly content: string }[];
  /** The main content, at most 20 KB. */
  readonly markdown: string;
  /** Entries of lists that were not kept; absent where all were. */
  readonly leftOut: { readonly [List in RecordList]?: number };
};

/** Bits of a link's flags; the two lowest are its position, by place in LINK_POSITIONS. */
export const LINK_FLAGS = { nofollow: 4, sponsored: 8, ugc: 16, template: 32, external: 64 } as const;
const POSITION_BITS = 3;

export const positionOfLink = (flags: number): LinkPosition => LINK_POSITIONS[flags & POSITION_BITS] as LinkPosition;
export const flagOfPosition = (position: LinkPosition): number => LINK_POSITIONS.indexOf(position);

/** A run of a site's links, in the order of pages and of each page's document. All lists of links are equally long. */
export type LinkColumns = {
  /** The rows of the pages on which they stand, each with how many of these links. */
  readonly pages: readonly (readonly [row: number, links: number])[];
  /** Of each link: number of its target and of its anchor below, and flags. */
  readonly targets: readonly number[];
  readonly anchors: readonly number[];
  readonly flags: readonly number[];
  /** Of each target: as linked, before redirects; its answer, null if it was not asked for; row of the page it leads to. */
  readonly urls: readonly string[];
  readonly statuses: readonly (number | null)[];
  readonly rows: readonly (number | null)[];
  readonly texts: readonly string[];
};
