import { describe, expect, it } from 'vitest';
import { ownUrl } from '../../../src/http/request/ownUrl.ts';

const at = (text: string, appUrl: string, host?: string): string => ownUrl(text, 'returnUrl', { appUrl, host });

describe('an address of this site', () => {
  it('is absolute, or begins with a slash', () => {
    expect(at('/account?a={ID}', 'https://seo.example.com')).toBe('https://seo.example.com/account?a={ID}');
    expect(at('https://seo.example.com/account', 'https://seo.example.com')).toBe('https://seo.example.com/account');
  });

  it('may have the requested host where the public address is plain http', () => {
    expect(at('http://127.0.0.1:3000/account', 'http://localhost:3000', '127.0.0.1:3000')).toBe(
      'http://127.0.0.1:3000/account',
    );
    expect(() => at('http://127.0.0.1:3000/account', 'http://localhost:3000', 'localhost:3000')).toThrow(
      'address of this site',
    );
    expect(() => at('http://seo.internal/account', 'https://seo.example.com', 'seo.internal')).toThrow(
      'address of this site',
    );
  });

  it('contains no user name, and is a page', () => {
    for (const text of [
      'https://a@seo.example.com/',
      'https://seo.example.com.evil.example/',
      'ftp://seo.example.com/',
      'http://seo.example.com/',
      '/api/v1/jobs',
    ])
      expect(() => at(text, 'https://seo.example.com'), text).toThrow('address of this site');
  });
});
