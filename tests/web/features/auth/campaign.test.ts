import { describe, expect, it } from 'vitest';
import { campaignOf, isOwnPath, nextOf } from '../../../../web/features/auth/campaign.ts';

const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
const search = (query: string): URLSearchParams => new URLSearchParams(query);

describe('where a visitor goes after signing up', () => {
  it('is the shared analysis that they saw a preview of', () =>
    expect(nextOf(search(`source=preview&utm_campaign=shared_preview&utm_content=${TOKEN}`))).toBe(`/shared/${TOKEN}`));
  it('is the place that is named', () => expect(nextOf(search('next=/dashboard/actions?jobId=1'))).toBe('/dashboard/actions?jobId=1'));
  it.each(['', `utm_content=${TOKEN}`, 'source=preview', 'source=preview&utm_content=../admin', 'source=preview&utm_content=a/b'])(
    'is nowhere else: %s',
    (query) => expect(nextOf(search(query))).toBeNull(),
  );
  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '\\/evil.example', 'javascript:alert(1)', 'dashboard', ''])(
    'is never out of the app: %s',
    (path) => {
      expect(isOwnPath(path)).toBe(false);
      expect(nextOf(new URLSearchParams({ next: path }))).toBeNull();
    },
  );
});

it('what the sign-up tells of it is cut to what the server takes', () => {
  expect(campaignOf(search(`source=preview&utm_campaign=${'c'.repeat(150)}&utm_medium=x`))).toEqual({ source: 'preview', utm_campaign: 'c'.repeat(100) });
});
