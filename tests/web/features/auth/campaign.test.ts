import { describe, expect, it } from 'vitest';
import { campaignOf, isOwnPath, nextOf } from '../../../../web/features/auth/campaign.ts';

const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
const search = (query: string): URLSearchParams => new URLSearchParams(query);

describe('the destination after signing up', () => {
  it('is the shared audit whose preview they saw', () =>
    expect(nextOf(search(`source=preview&utm_campaign=shared_preview&utm_content=${TOKEN}`))).toBe(`/shared/${TOKEN}`));
  it('is the named place', () =>
    expect(nextOf(search('next=/dashboard/actions?jobId=1'))).toBe('/dashboard/actions?jobId=1'));
  it.each([
    '',
    `utm_content=${TOKEN}`,
    'source=preview',
    'source=preview&utm_content=../admin',
    'source=preview&utm_content=a/b',
  ])('is ignored: %s', (query) => expect(nextOf(search(query))).toBeNull());
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    'javascript:alert(1)',
    'dashboard',
    '',
  ])('never leaves the app: %s', (path) => {
    expect(isOwnPath(path)).toBe(false);
    expect(nextOf(new URLSearchParams({ next: path }))).toBeNull();
  });
});

it('is shortened to what the server accepts', () => {
  expect(campaignOf(search(`source=preview&utm_campaign=${'c'.repeat(150)}&utm_medium=x`))).toEqual({
    source: 'preview',
    utm_campaign: 'c'.repeat(100),
  });
});
