/** The addresses that running audits have just read. Not a fact: it is not logged, and it ends with the crawl's job. */
import type { Feed, ReadAddress } from '../../model/liveFeed.ts';

export type LiveFeed = {
  /** A crawl begins: what an interrupted one left is no longer shown. */
  readonly begin: (jobId: string) => void;
  /** An address was read; ignored before `begin` and after `end`. */
  readonly add: (jobId: string, read: ReadAddress) => void;
  /** Removes it: the job has ended or been interrupted. */
  readonly end: (jobId: string) => void;
  /** Null if nothing is being read, or was read long ago. */
  readonly read: (jobId: string) => Promise<Feed | null>;
};
