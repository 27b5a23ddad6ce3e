/** Everything the checks ask of one page: collected in one walk over the parsed tree, plain JSON, no HTML kept. */

/** Part of the page by its landmarks. */
export type Area = 'nav' | 'header' | 'footer' | 'aside' | 'main';

/**
 * Most of what a page leaves are its links, so what equals something else is left out: read the optional fields through reading.ts.
 */
export type LinkFact = {
  /** As written; absent when it equals `url`. */
  readonly href?: string;
  /** Absolute and normalised, fragment removed; null when it is no http(s) URL. */
  readonly url: string | null;
  /** Cut to 200 characters. */
  readonly text: string;
  /** Links of a page with the same rel share one list. */
  readonly rel: readonly string[];
  readonly internal: boolean;
  /** Absent in the main area. */
  readonly area?: Area;
  /** Absent when it is the page's language. */
  readonly lang?: string;
  /** Absent when it equals `text`. */
  readonly name?: string;
  /** Hidden from screen readers, with what is around it or by aria-hidden. */
  readonly silent?: true;
  /** Only where the address does not tell which link it is: empty, '#' or script, or of an <area>. */
  readonly selector?: string;
};

/** An <a> that a crawler cannot follow: no usable href, script or file address. */
export type UncrawlableAnchor = { readonly href: string | null; readonly text: string; readonly selector: string };

/** The optional fields are read through reading.ts. */
export type ImageFact = {
  /** As written, of a data: address the beginning; absent when it equals `url`. */
  readonly src?: string;
  readonly url: string | null;
  /** Null when the attribute is absent. */
  readonly alt: string | null;
  readonly width?: string;
  readonly loading?: string;
  /** Named otherwise than by alt (aria-label, aria-labelledby, title), or told to be presentation. */
  readonly decorative: boolean;
  /** Width and height, or one of them with an aspect ratio, are known from attributes or the style attribute. */
  readonly sized: boolean;
  /** Not shown: hidden, display:none, or a 1x1 tracking pixel. */
  readonly hidden: boolean;
  /** A srcset or a <picture> source offers WebP or AVIF. */
  readonly modern: boolean;
  /** Absent in the main area. */
  readonly area?: Area;
  /** Order in the document, from 0. */
  readonly index: number;
  /** Only where the address does not tell which image it is: none, or a data: address. */
  readonly selector?: string;
};

/** `text` is the accessible text: with the alt of images inside and aria-label. */
export type HeadingFact = { readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string; readonly hidden: boolean; readonly selector: string } & {
  /** Hidden from screen readers. */
  readonly silent?: true;
  /** A heading by its role alone: search engines know it for none. */
  readonly byRole?: true;
  /** Of levels 2 and 3, where they may ask something: words of the first paragraph below, before any other heading; absent when there is none. */
  readonly answerWords?: number;
};

export type MetaFact = { readonly name: string; readonly content: string };

export type StructuredDataFact = {
  readonly syntax: 'json-ld' | 'microdata' | 'rdfa';
  /** Text of the block, cut to 20 KB; '' for the others. */
  readonly raw: string;
  /** The top-level nodes as JSON-LD (microdata is written as such), at most 24 levels and 5,000 values; null when it does not parse or was too large to keep. */
  readonly value: readonly unknown[] | null;
  readonly error: string | null;
  readonly types: readonly string[];
  readonly selector: string;
};

/** What the page loads or sends to; its images are listed apart, as ImageFact. */
export type ResourceFact = {
  readonly url: string;
  readonly kind: 'script' | 'stylesheet' | 'iframe' | 'frame' | 'media' | 'font' | 'icon' | 'manifest' | 'feed' | 'preload' | 'object' | 'form';
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
  readonly limitedQuirks: boolean;
  readonly lang: string | null;
  readonly baseHref: string | null;
  /** Every <title> of the document outside svg, trimmed; the first counts. */
  readonly titles: readonly { readonly text: string; readonly inHead: boolean }[];
  /** name=… in the head, in order: in the body they do not count. */
  readonly metas: readonly MetaFact[];
  /** property=… (Open Graph and the like), in order. */
  readonly properties: readonly MetaFact[];
  readonly httpEquiv: readonly MetaFact[];
  readonly canonicals: readonly { readonly href: string; readonly url: string | null; readonly inHead: boolean }[];
  readonly alternates: readonly { readonly hreflang: string; readonly href: string; readonly url: string | null }[];
  readonly headings: readonly HeadingFact[];
  readonly links: readonly LinkFact[];
  readonly uncrawlableAnchors: readonly UncrawlableAnchor[];
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
    readonly forms: number;
    /** These in the content, boilerplate left out. */
    readonly lists: number;
    readonly definitionLists: number;
    readonly tables: number;
    readonly quotes: number;
    readonly details: number;
    /** <pre>: listings of code, sessions at a terminal. */
    readonly listings: number;
  };
  /** How many there were; the lists above keep the first of them only. */
  readonly totals: { readonly links: number; readonly images: number; readonly headings: number; readonly resources: number; readonly metas: number };
  /** Machine-readable dates of the document (<time datetime>), at most 20. */
  readonly dates: readonly string[];
  /** Signs of a shop page: a price in the markup or text, a button that buys. */
  readonly commerce: { readonly price: boolean; readonly buyButton: boolean };
  /** A field for a password. */
  readonly passwordField: boolean;
  /** Selector of an element that a script is to fill (#root, #app, …) and that is empty; null when there is none. */
  readonly emptyAppRoot: string | null;
  /** Text of <noscript> blocks, cut to 500 characters. */
  readonly noscript: string;
  /** Words of the whole visible body, boilerplate included. */
  readonly bodyWordCount: number;
  /**
   * Visible text of the main content (boilerplate left out where landmarks tell it), whitespace folded, cut to 20,000 characters. Longer than
   * 2,300 it is kept without its middle, unless FAQ markup claims what the page shows.
   */
  readonly text: string;
  /** The first text of some length that a style attribute hides from everybody; null when there is none. */
  readonly unseen: { readonly selector: string; readonly style: string; readonly words: number; readonly text: string } | null;
  /** Template text left in the main text, and the 120 characters from there on; null when there is none. */
  readonly filler: { readonly found: string; readonly around: string } | null;
  readonly wordCount: number;
  /** SHA-256 (hex, 16 characters) of the folded main text, for exact duplicates; '' when there is none. */
  readonly textHash: string;
  /** Fingerprint of the main text for near duplicates, hex (simHash.ts); '' under 20 words. */
  readonly simHash: string;
  /** What the main text is written in; the probability against the next likely language. Null under 100 words and where nothing tells. */
  readonly language: { readonly code: string; readonly probability: number } | null;
  /** The phrase of two or three words that a main text of 300 words and more repeats most, and how often it comes for each of its words; null under 0.02. */
  readonly repeated: { readonly phrase: string; readonly count: number; readonly share: number } | null;
  /** Numbers with a unit, currency or percent sign and years in the main text, for each 500 words of it. */
  readonly figures: number;
  /** Of the paragraphs of an English page; null for other languages and without paragraphs. */
  readonly reading: { readonly words: number; readonly sentences: number; readonly syllables: number } | null;
  /** Opening hours and a postal address as shown anywhere on the page; null when there is neither. */
  readonly visiting: { readonly hours: string | null; readonly address: string | null } | null;
  /** What the page's JSON-LD says of its main subject (name or headline, price, author), and whether the visible text says it too. */
  readonly claims: readonly { readonly property: string; readonly value: string; readonly seen: boolean; readonly selector: string }[];
  /** Words of each paragraph of the main content in order, of their first 1,200 characters; at most 80. */
  readonly passageWords: readonly number[];
  /** The first of these paragraphs with 60 characters or more, cut to 200; '' when there is none. */
  readonly lead: string;
  /** Present when these are the facts of the page as its scripts have filled it: what its delivered HTML said instead. */
  readonly rendered?: { readonly emptyAppRoot: string | null; readonly noscript: string; readonly bodyWordCount: number };
};
