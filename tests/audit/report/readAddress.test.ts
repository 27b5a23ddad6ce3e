import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/audit/report/readAddress.ts';
import { FEED_ADDRESS } from '../../../src/model/liveFeed.ts';
import { type GivenPage, givenPage } from '../../given/audit/page.ts';

const AT = '2026-03-01T08:00:00Z';
const of = (page: Omit<GivenPage, 'from'>) => readAddress(givenPage({ url: '/tea', from: 'link', ...page }), AT);
const html = (head: string, body = '<h1>Tea</h1><p>Two words</p>'): string =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const WHOLE = '<title>Tea</title><meta name="description" content="All teas">';

describe('an address as it is read', () => {
  it('is shown with its answer, and without an observation where nothing is to be said', () => {
    expect(of({ html: html(WHOLE) })).toEqual({
      url: 'https://example.com/tea',
      status: 200,
      ms: 60,
      words: 3,
      saw: [],
      failure: null,
    });
  });

  it.each<[string, GivenPage, readonly string[]]>([
    ['texts that are missing', { html: html('', '') }, ['no_title', 'no_description', 'no_h1']],
    [
      'empty ones',
      { html: html('<title> </title><meta name="description" content="">') },
      ['no_title', 'no_description'],
    ],
    [
      'a blank one',
      { html: html('<title>Tea</title><meta name="description" content=" &nbsp; ">') },
      ['no_description'],
    ],
    ['a meta that hides it', { html: html(`${WHOLE}<meta name="robots" content="NOINDEX, follow">`) }, ['noindex']],
    ['one for Googlebot', { html: html(`${WHOLE}<meta name="googlebot" content="none">`) }, ['noindex']],
    ['one for another bot', { html: html(`${WHOLE}<meta name="bingbot" content="noindex">`) }, []],
    [
      'a date after which it is hidden',
      { html: html(`${WHOLE}<meta name="robots" content="unavailable_after: 28 Feb 2026">`) },
      ['noindex'],
    ],
    ['a later one', { html: html(`${WHOLE}<meta name="robots" content="unavailable_after: 2 Mar 2026">`) }, []],
    ['a header', { html: html(WHOLE), headers: { 'x-robots-tag': 'noindex' } }, ['noindex']],
    ['a missing page', { status: 404 }, ['client_error']],
    ['a failing one', { status: 503 }, ['server_error']],
    ['a file', { headers: { 'content-type': 'application/pdf' } }, ['not_html']],
    ['no answer', { failure: 'timeout' }, ['no_answer']],
    ['robots.txt', { robotsBlocked: true, failure: 'aborted' }, ['robots']],
  ])('says %s', (_, page, saw) => {
    expect(of(page).saw).toEqual(saw);
  });

  it('has the status of a redirect, and why there was no answer', () => {
    const hops = [{ url: 'https://example.com/tea', status: 301, location: '/teas' }];
    expect(of({ hops, finalUrl: 'https://example.com/teas' })).toMatchObject({ status: 301, saw: ['redirect'] });
    // The start page is one entry with its redirects.
    expect(readAddress(givenPage({ url: '/', hops, html: html(WHOLE) }), AT)).toMatchObject({ status: 200, saw: [] });
    expect(of({ failure: 'dns' })).toMatchObject({ status: null, ms: null, words: null, failure: 'dns' });
  });

  it('has no secrets in it, and is cut', () => {
    expect(of({ url: '/in?token=abc123&page=2', html: '' }).url).toBe('https://example.com/in?token=[hidden]&page=2');
    const long = of({ url: `/${'a'.repeat(5_000)}`, html: '' }).url;
    expect(long).toHaveLength(FEED_ADDRESS);
    expect(long.endsWith('a…')).toBe(true);
    const late = `/${'a'.repeat(FEED_ADDRESS - 40)}?token=${'s3cret'.repeat(1_000)}`;
    expect(of({ url: late, html: '' }).url).not.toContain('s3cret');
  });
});
