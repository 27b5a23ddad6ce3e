/** Posts a message to one receiver, such as a webhook, through the guarded fetcher. */
import type { FetchOptions, FetchResult } from '../../model/fetching.ts';

/** Does not follow redirects: a message for one receiver must not go to another. */
export type PostOptions = Pick<FetchOptions, 'headers' | 'maxBytes' | 'cut' | 'timeoutMs' | 'signal'> & {
  readonly body: string;
};
export type Post = (url: string, options: PostOptions) => Promise<FetchResult>;
