/** Client-side checks of submitted addresses. */

/** Used in the error that asks for a valid address. */
export const EXAMPLE_HOST = 'example.com';

export const EMPTY_URL = 'Please enter a URL';
export const INVALID_URL = `Please enter a valid URL (e.g., ${EXAMPLE_HOST})`;
export const EMPTY_BATCH = 'Please enter at least one URL';
export const NO_VALID_URL = 'Please enter at least one valid URL';
export const INVALID_LINES = 'Invalid URLs found';

/** `example.com` or a full web address; the server decides. */
export function isWebAddress(text: string): boolean {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (/\s/.test(whole) || !URL.canParse(whole)) return false;
  const { protocol, hostname } = new URL(whole);
  return (
    (protocol === 'http:' || protocol === 'https:') &&
    (hostname.includes('.') || hostname === 'localhost' || hostname.startsWith('['))
  );
}

export function problemOfUrl(text: string): string | null {
  const url = text.trim();
  if (url === '') return EMPTY_URL;
  return isWebAddress(url) ? null : INVALID_URL;
}

export interface Batch {
  readonly urls: readonly string[];
  readonly problem: string | null;
  /** 'Line N: value', numbered as in the text field. */
  readonly invalidLines: readonly string[];
}

export function readBatch(text: string, limit: number): Batch {
  if (text === '') return { urls: [], problem: EMPTY_BATCH, invalidLines: [] };
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, value: line.trim() }))
    .filter((line) => line.value !== '');
  const urls = lines.map((line) => line.value);
  if (urls.length === 0) return { urls, problem: NO_VALID_URL, invalidLines: [] };
  const invalidLines = lines
    .filter((line) => !isWebAddress(line.value))
    .map((line) => `Line ${line.number}: ${line.value}`);
  if (invalidLines.length > 0) return { urls, problem: INVALID_LINES, invalidLines };
  return { urls, problem: urls.length > limit ? `Please enter at most ${limit} URLs at once` : null, invalidLines: [] };
}
