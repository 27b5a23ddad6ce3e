/** A page of the demo site. These fields and texts contain its intentional faults; `faults.ts` lists them. */
export type DemoPage = {
  readonly path: string;
  /** Null omits the element. */
  readonly title: string | null;
  readonly description: string | null;
  readonly body: string;
  /** Default true. */
  readonly canonical?: boolean;
  /** Default true. */
  readonly viewport?: boolean;
  /** Default true. */
  readonly inSitemap?: boolean;
  readonly robots?: string;
  /** Content of a JSON-LD block; `ORIGIN` stands for the site's own address. */
  readonly jsonLd?: string;
  /** Answers with a delay. */
  readonly slow?: boolean;
};

/** Placeholder in texts for the origin under which the site is requested. */
export const ORIGIN = '%ORIGIN%';
