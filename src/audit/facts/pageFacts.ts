/** Everything the checks ask of one page: collected in one walk over the parsed tree, plain JSON, no HTML kept. */

export type LinkFact = {
  /** As written. */
  readonly href: string;
  /** Absolute and normalised, fragment removed; null when it is no http(s) URL. */
  readonly url: string | null;
  readonly text: string;
  readonly rel: readonly string[];
  /** 'main' also when no landmark holds it. */
  readonly area: 'nav' | 'header' | 'footer' | 'aside' | 'main';
  readonly internal: boolean;
  readonly hreflang: string | null;
  /** Accessible name: text, image alt or aria-label. */
  readonly name: string;
  readonly selector: string;
};

export type ImageFact = {
  readonly src: string;
  readonly url: string | null;
  /** Null when the attribute is absent. */
  readonly alt: string | null;
  readonly width: string | null;
  readonly height: string | null;
  readonly loading: string | null;
  readonly fetchpriority: string | null;
  readonly inLink: boolean;
  readonly decorative: boolean;
  /** Order in the document, from 0. */
  readonly index: number;
  readonly selector: string;
};

export type HeadingFact = { readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string; readonly selector: string };

export type MetaFact = { readonly name: string; readonly content: string };

export type StructuredDataFact = {
  readonly syntax: 'json-ld' | 'microdata' | 'rdfa';
  /** Text of the block, cut to 20 KB; '' for the others. */
  readonly raw: string;
  /** Parsed JSON-LD, each top-level node; null when it does not parse. */
  readonly value: unknown;
  readonly error: string | null;
  readonly types: readonly string[];
  readonly selector: string;
};

export type ResourceFact = {
  readonly url: string;
  readonly kind: 'script' | 'stylesheet' | 'image' | 'iframe' | 'media' | 'font' | 'icon' | 'manifest' | 'feed' | 'preload';
  readonly inHead: boolean;
  readonly blocking: boolean;
  readonly selector: string;
};

export type PageFacts = {
  readonly url: string;
  readonly charset: {
    readonly used: string;
    readonly header: string | null;
    readonly meta: string | null;
    readonly metaOffset: number | null;
    readonly bom: boolean;
  };
  readonly doctype: string | null;
  /** Quirks mode by the HTML standard. */
  readonly quirks: boolean;
  readonly lang: string | null;
  readonly baseHref: string | null;
  /** Every <title> of the document outside svg, trimmed; the first counts. */
  readonly titles: readonly { readonly text: string; readonly inHead: boolean }[];
  readonly metas: readonly MetaFact[];
  /** property=… (Open Graph and the like), in order. */
  readonly properties: readonly MetaFact[];
  readonly httpEquiv: readonly MetaFact[];
  readonly canonicals: readonly { readonly href: string; readonly url: string | null; readonly inHead: boolean }[];
  readonly alternates: readonly { readonly hreflang: string; readonly href: string; readonly url: string | null }[];
  readonly headings: readonly HeadingFact[];
  readonly links: readonly LinkFact[];
  readonly images: readonly ImageFact[];
  readonly resources: readonly ResourceFact[];
  readonly structuredData: readonly StructuredDataFact[];
  /** Elements that ended the <head> early although they stand in its source; the first of them. */
  readonly headBrokenBy: string | null;
  readonly inlineScripts: readonly { readonly text: string; readonly selector: string }[];
  readonly landmarks: { readonly main: number; readonly nav: number; readonly header: number; readonly footer: number; readonly article: number };
  readonly counts: {
    readonly elements: number;
    readonly maxDepth: number;
    readonly paragraphs: number;
    readonly lists: number;
    readonly tables: number;
    readonly forms: number;
  };
  /** Visible text of the main content (boilerplate left out where landmarks tell it), whitespace folded, cut to 20,000 characters. */
  readonly text: string;
  readonly wordCount: number;
  /** SHA-256 (hex, 16 characters) of the folded main text, for exact duplicates; '' when there is none. */
  readonly textHash: string;
  /** 64-bit SimHash of the main text's word shingles as 16 hex characters, for near duplicates; '' under 20 words. */
  readonly simHash: string;
  /** Paragraphs of the main content in order, each cut to 600 characters; at most 80. */
  readonly paragraphs: readonly string[];
};
