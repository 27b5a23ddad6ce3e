/** The part of an answer that is kept: everything except the body. */
import type { FetchFailure, FetchResult } from '../../model/fetching.ts';
import { isChallenge } from './challenge.ts';
import type { FetchOutcome } from './site.ts';

export function outcomeOf(result: FetchResult): FetchOutcome {
  if (!result.ok)
    return {
      ...noAnswer(result.url, result.failure, result.message),
      requestedUrl: result.requestedUrl,
      hops: result.hops,
    };
  return {
    requestedUrl: result.requestedUrl,
    url: result.url,
    status: result.status,
    headers: result.headers,
    hops: result.hops,
    failure: null,
    message: null,
    bytes: result.body.length,
    transferBytes: result.transferBytes,
    truncated: result.truncated,
    ttfbMs: Math.round(result.ttfbMs),
    totalMs: Math.round(result.totalMs),
    httpVersion: result.httpVersion,
    ...(result.certificateEnds ? { certificateEnds: result.certificateEnds } : {}),
    ...(isChallenge(result) ? { challenged: true } : {}),
  };
}

/** For an address that was not requested or did not answer. */
export function noAnswer(url: string, failure: FetchFailure | null, message: string | null): FetchOutcome {
  return {
    requestedUrl: url,
    url,
    status: null,
    headers: {},
    hops: [],
    failure,
    message,
    bytes: 0,
    transferBytes: 0,
    truncated: false,
    ttfbMs: 0,
    totalMs: 0,
    httpVersion: '',
  };
}

/** A site that blocks or limits crawlers may still serve people: the answer says nothing about the page. */
export function isRefusal(status: number | null): boolean {
  return status === 401 || status === 403 || status === 429;
}

/** The same of an answer, which may also be a page that asks for proof of being human. */
export function isTurnedAway({ status, challenged }: Pick<FetchOutcome, 'status' | 'challenged'>): boolean {
  return isRefusal(status) || challenged === true;
}

/** The media type without parameters, lower case; '' if there is none. */
export function mediaTypeOf(headers: FetchOutcome['headers']): string {
  return (headers['content-type']?.[0] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const HTML_START = /^<(?:!doctype\s+html|html|head|body)\b/i;

/** Whether the answer is a web page where a text file was requested. */
export function looksLikeHtml(text: string, mediaType: string): boolean {
  const start = text.slice(0, 2000);
  return (
    HTML_START.test(behindComments(start.replace(/^\uFEFF/, ''))) ||
    (mediaType === 'text/html' && /<html[\s>]/i.test(start))
  );
}

/** Skips leading white space and comments. */
function behindComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end < 0) return '';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}
