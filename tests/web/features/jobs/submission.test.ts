import { describe, expect, it } from 'vitest';
import { problemOfUrl, readBatch } from '../../../../web/features/jobs/submit/submission.ts';

const INVALID = 'Please enter a valid URL (e.g., example.com)';

describe('one address', () => {
  it.each([
    'example.com',
    ' example.com ',
    'https://example.com/path?q=1',
    'http://localhost:3000',
    'example.com:8080',
    'http://[::1]/',
    'münchen.de',
  ])('accepts %s', (text) => {
    expect(problemOfUrl(text)).toBeNull();
  });
  it.each(['', '   '])('requires one: %j', (text) => {
    expect(problemOfUrl(text)).toBe('Please enter a URL');
  });
  it.each(['not a url', 'word', 'ftp://example.com', 'javascript:alert(1)', 'https://', 'http://exa mple.com'])(
    'refuses %s',
    (text) => {
      expect(problemOfUrl(text)).toBe(INVALID);
    },
  );
});

describe('a batch', () => {
  it('is trimmed, and blank lines are dropped', () => {
    expect(readBatch(' a.com \r\n\n b.com', 100)).toEqual({
      urls: ['a.com', 'b.com'],
      problem: null,
      invalidLines: [],
    });
  });
  it('requires addresses', () => {
    expect(readBatch('', 100).problem).toBe('Please enter at least one URL');
    expect(readBatch(' \n \n', 100).problem).toBe('Please enter at least one valid URL');
  });
  it('names each invalid line by its number in the field', () => {
    expect(readBatch('a.com\n\nnonsense\nb.com\nftp://x.y', 100)).toMatchObject({
      problem: 'Invalid URLs found',
      invalidLines: ['Line 3: nonsense', 'Line 5: ftp://x.y'],
    });
  });
  it('has an upper limit', () => {
    expect(readBatch('a.com\nb.com\nc.com', 2).problem).toBe('Please enter at most 2 URLs at once');
    expect(readBatch(Array.from({ length: 10_000 }, (_, index) => `site-${index}.com`).join('\n'), 100).problem).toBe(
      'Please enter at most 100 URLs at once',
    );
  });
});
