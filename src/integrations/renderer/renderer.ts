import type { RenderRequest, RenderResult } from '../../model/rendering.ts';

/** `requests`: number of network requests made. */
export type Rendered = RenderResult & { readonly requests: number };

/** Never rejects. */
export type RenderCounted = (url: string, request: RenderRequest) => Promise<Rendered>;
