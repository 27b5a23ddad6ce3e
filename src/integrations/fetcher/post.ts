/** Sending a message to one receiver, such as a webhook, through the guarded fetcher. */
import type { FetchOptions, FetchResult } from '../../model/fetching.ts';

/** Of a message that is sent. A redirect is its answer: what was addressed to one receiver goes to no other. */
export type PostOptions = Pick<FetchOptions, 'headers' | 'maxBytes' | 'cut' | 'timeoutMs' | 'signal'> & { readonly body: string };
export type Post = (url: string, options: PostOptions) => Promise<FetchResult>;
