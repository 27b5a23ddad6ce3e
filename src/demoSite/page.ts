/** What a page of the demo site is. Its faults are in these fields and texts, on purpose; `faults.ts` lists them. */
export type DemoPage = {
  readonly path: string;
  /** Null leaves the element out. */
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
  /** Text of a JSON-LD block; `ORIGIN` stands for the site's own address. */
  readonly jsonLd?: string;
  /** Answers late. */
  readonly slow?: boolean;
};

/** Stands in texts for the address under which the site is asked for. */
export const ORIGIN = '%ORIGIN%';
