/** Everything the checks need from one page, collected in one walk over the parsed tree: plain JSON, no HTML. */

/** Part of the page, by landmark. */
export type Area = 'nav' | 'header' | 'footer' | 'aside' | 'main';

/**
 * Links make up most of a page's facts, so values equal to another one are omitted: read the optional fields through
 * reading.ts.
 */
export type LinkFact = {
  /** As written in the source; absent when it equals `url`. */
  readonly href?: string;
  /** Absolute and normalized, without fragment; null if it is not an http(s) URL. */
  readonly url: string | null;
  /** Cut to 200 characters. */
  readonly text: string;
  /** Links on a page with the same rel share one array. */
  readonly rel: readonly string[];
  readonly internal: boolean;
  /** Absent in the main area. */
  readonly area?: Area;
  /** In a menu that no landmark marks (menus.ts). */
  readonly menu?: true;
  /** Absent when it is the page's language. */
  readonly lang?: string;
  /** Absent when it equals `text`. */
  readonly name?: string;
  /** Beside its text: only an <img>, only an <svg> or <i>, or anything else. Absent for nothing, and in older facts. */
  readonly holds?: 'image' | 'icon' | 'elements';
  /** Hidden from screen readers, by its own or an ancestor's aria-hidden or hiding. */
  readonly silent?: true;
  /** Only where the address does not identify the link: empty, '#', a script, or an <area>. */
  readonly selector?: string;
};

/** An <a> that a crawler cannot follow: no usable href, a script, or a file: address. */
export type UncrawlableAnchor = {
  readonly href: string | null;
  readonly text: string;
  readonly selector: string;
  /** No address, and nothing shows that a script makes it a link. */
  readonly inert?: true;
};

/** Read the optional fields through reading.ts. */
export type ImageFact = {
  /** As written in the source (only the start of a data: URL); absent when it equals `url`. */
  readonly src?: string;
  readonly url: string | null;
  /** Null when the attribute is absent. */
  readonly alt: string | null;
  readonly width?: string;
  readonly height?: string;
  readonly loading?: string;
  /** Words of the content before it; only for the first lazy images of the content. */
  readonly wordsBefore?: number;
  /** Named by something other than alt (aria-label, aria-labelledby, title), or marked as presentational. */
  readonly decorative: boolean;
  /** Attributes or the style attribute set width and height, or one of them with an aspect ratio. */
  readonly sized: boolean;
  /** Not visible: hidden, display:none, or a 1x1 tracking pixel. */
  readonly hidden: boolean;
  /** A srcset or a <picture> source offers WebP or AVIF. */
  readonly modern: boolean;
  /** Absent in the main area. */
  readonly area?: Area;
  /** Position in document order, from 0. */
  readonly index: number;
  /** Only where the address does not identify the image: missing, or a data: URL. */
  readonly selector?: string;
};

/** `text` is the accessible text, including image alts and aria-label. */
export type HeadingFact = {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly text: string;
  readonly hidden: boolean;
  readonly selector: string;
} & {
  /** Hidden from screen readers. */
  readonly silent?: true;
  /** A heading only by its role: search engines do not treat it as one. */
  readonly byRole?: true;
  /**
   * For level 2 and 3 headings that may be questions: words in the first paragraph below, before the next heading;
   * absent if there is none.
   */
  readonly answerWords?: number;
};

export type MetaFact = { readonly name: string; readonly content: string };

/** Another version of the page that it declares in its head. */
export type TwinFact = { readonly kind: 'amp' | 'mobile' | 'print'; readonly url: string };

export type StructuredDataFact = {
  readonly syntax: 'json-ld' | 'microdata' | 'rdfa';
  /** Text of the JSON-LD block, cut to 20 KB; '' for other syntaxes. */
  readonly raw: string;
  /**
   * Top-level nodes as JSON-LD (microdata is converted), at most 24 levels and 5,000 values; null if it does not parse
   * or is too large to keep.
   */
  readonly value: readonly unknown[] | null;
  readonly error: string | null;
  readonly types: readonly string[];
  readonly selector: string;
};

/** What the page loads or submits to; images are listed separately, as ImageFact. */
export type ResourceFact = {
  readonly url: string;
  readonly kind:
    | 'script'
    | 'stylesheet'
    | 'iframe'
    | 'frame'
    | 'media'
    | 'font'
    | 'icon'
    | 'manifest'
    | 'feed'
    | 'preload'
    | 'object'
    | 'form';
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
  /** Quirks mode as defined by the HTML standard. */
  readonly quirks: boolean;
  readonly limitedQuirks: boolean;
  /** Of a page sent as XML: why its rest was not read, with the line; null if all was. Absent if it was read as HTML. */
  readonly xmlError?: string | null;
  readonly lang: string | null;
  readonly baseHref: string | null;
  /** Every <title> outside svg, trimmed; the first one counts. */
  readonly titles: readonly { readonly text: string; readonly inHead: boolean }[];
  /** name=… in the head, in order; in the body they do not count. */
  readonly metas: readonly MetaFact[];
  /**
   * Metas named robots or after a bot in the body, which search engines obey nevertheless; absent if there are none.
   */
  readonly bodyRobots?: readonly MetaFact[];
  /** property=… (Open Graph and the like), in order. */
  readonly properties: readonly MetaFact[];
  readonly httpEquiv: readonly MetaFact[];
  readonly canonicals: readonly { readonly href: string; readonly url: string | null; readonly inHead: boolean }[];
  readonly alternates: readonly { readonly hreflang: string; readonly href: string; readonly url: string | null }[];
  /** Those in the body, which do not count, at most 5; absent if there are none. */
  readonly bodyAlternates?: readonly { readonly hreflang: string; readonly href: string }[];
  /** At most 5; absent if it declares none. */
  readonly twins?: readonly TwinFact[];
  /** Classes of the body by which common systems say what the page is, at most 8; absent if there is none. */
  readonly bodyClasses?: readonly string[];
  readonly headings: readonly HeadingFact[];
  readonly links: readonly LinkFact[];
  /** The links in the first main landmark: from this place in `links` to before that one; absent if there is none. */
  readonly mainLinks?: { readonly from: number; readonly to: number };
  readonly uncrawlableAnchors: readonly UncrawlableAnchor[];
  readonly images: readonly ImageFact[];
  readonly resources: readonly ResourceFact[];
  readonly structuredData: readonly StructuredDataFact[];
  /** The first element that ended the <head> early although the source's head continues. */
  readonly headBrokenBy: string | null;
  readonly inlineScripts: readonly { readonly text: string; readonly selector: string }[];
  readonly landmarks: {
    readonly main: number;
    readonly nav: number;
    readonly header: number;
    readonly footer: number;
    readonly article: number;
  };
  /** Of a page without a main landmark, the element that holds its content; absent if none does, and in older facts. */
  readonly contentBlock?: { readonly tag: string; readonly selector: string };
  /** Fingerprint of the structure (shape.ts), 16 hex characters; '' if there is none. Absent in older facts. */
  readonly shape?: string;
  readonly counts: {
    readonly elements: number;
    readonly maxDepth: number;
    readonly paragraphs: number;
    readonly forms: number;
    /** From here on, counted in the content only, without boilerplate. */
    readonly lists: number;
    readonly definitionLists: number;
    readonly tables: number;
    readonly quotes: number;
    readonly details: number;
    /** <pre>: code listings, terminal sessions. */
    readonly listings: number;
  };
  /** The page has more than is kept: the ends of the longest lists are missing. */
  readonly partial?: true;
  /** Full counts; the lists above are truncated. */
  readonly totals: {
    readonly links: number;
    readonly images: number;
    readonly headings: number;
    readonly resources: number;
    readonly metas: number;
  };
  /**
   * Hashes of its ids and the names of its anchors, 8 hex characters each (fragmentTargets.ts). Absent if there are too
   * many, and in older facts.
   */
  readonly targets?: string;
  /** Machine-readable dates (<time datetime>), at most 20. */
  readonly dates: readonly string[];
  /** Signs of a shop page: a price in the markup or text, a buy button. */
  readonly commerce: {
    readonly price: boolean;
    readonly buyButton: boolean;
    /** At least three, so that it is not one product. */
    readonly manyButtons?: true;
  };
  /** Has a password input. */
  readonly passwordField: boolean;
  /** Selector of an empty element that a script fills in (#root, #app, …); null if there is none. */
  readonly emptyAppRoot: string | null;
  /** Text of <noscript> blocks, cut to 500 characters. */
  readonly noscript: string;
  /** Words in the whole visible body, boilerplate included. */
  readonly bodyWordCount: number;
  /**
   * Visible text of the main content (without boilerplate where landmarks or menus.ts identify it), white space folded,
   * cut to 20,000 characters. A text longer than 2,300 characters is kept without its middle, unless there is FAQ
   * markup to compare with the page.
   */
  readonly text: string;
  /** The main content as Markdown, at most 20 KB, packed (packedText.ts). Absent if there is none, and in older facts. */
  readonly markdown?: string;
  /**
   * The first long enough text that a style attribute hides; null if there is none. `forReaders`: it only stands
   * off-screen, as text for screen readers does, and no word is repeated throughout.
   */
  readonly unseen: {
    readonly selector: string;
    readonly style: string;
    readonly words: number;
    readonly text: string;
    readonly forReaders?: true;
  } | null;
  /** Placeholder text left in the main text, and 120 characters from where it starts; null if there is none. */
  readonly filler: { readonly found: string; readonly around: string } | null;
  readonly wordCount: number;
  /** How many of them stand in <pre> or <code>; absent if there is none. */
  readonly codeWords?: number;
  /** SHA-256 (first 16 hex characters) of the folded main text, for exact duplicates; '' if there is none. */
  readonly textHash: string;
  /** Fingerprint of the main text for near-duplicates, hex (simHash.ts); '' under 20 words. */
  readonly simHash: string;
  /** Language of the main text, with its probability against the runner-up. Null under 100 words and when unclear. */
  readonly language: { readonly code: string; readonly probability: number } | null;
  /**
   * The most repeated two- or three-word phrase of a main text of at least 300 words; `share` is occurrences per word,
   * code left out. Null if the share is under 0.02. `isName`: it is capitalized.
   */
  readonly repeated: {
    readonly phrase: string;
    readonly count: number;
    readonly share: number;
    readonly isName?: true;
  } | null;
  /** Numbers with a unit, currency or percent sign, and years, per 500 words of the main text. */
  readonly figures: number;
  /** Counts over the paragraphs of an English page; null for other languages and without paragraphs. */
  readonly reading: { readonly words: number; readonly sentences: number; readonly syllables: number } | null;
  /** Opening hours and postal address shown anywhere on the page; null if there is neither. */
  readonly visiting: { readonly hours: string | null; readonly address: string | null } | null;
  /** An email address or a number to call that its text shows, or the text of an address element; absent if none. */
  readonly contact?: string;
  /**
   * What the page's JSON-LD claims about its main subject (name or headline, price, author), and whether the visible
   * text shows it.
   */
  readonly claims: readonly {
    readonly property: string;
    readonly value: string;
    readonly seen: boolean;
    readonly selector: string;
  }[];
  /**
   * Words per paragraph of the main content in order, counted in the first 1,200 characters of each; at most 80
   * paragraphs.
   */
  readonly passageWords: readonly number[];
  /** The first of these paragraphs with at least 60 characters, cut to 200; '' if there is none. */
  readonly lead: string;
  /** Present when these facts are from the rendered page: the values of the delivered HTML. */
  readonly rendered?: {
    readonly emptyAppRoot: string | null;
    readonly noscript: string;
    readonly bodyWordCount: number;
  };
};
