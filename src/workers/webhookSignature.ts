/** The headers by which a receiver knows a message for ours, and a copy for a copy. */
import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'X-SEO-Signature';

/**
 * `t={unix seconds},v1={hex}`: HMAC-SHA256 with the endpoint's secret over `{t}.{body}`; a `v1` for each secret while a new one takes the place of
 * another. Receivers refuse a time that is more than five minutes off, so that a message that was overheard is of no use later.
 */
export function signatureOf(secrets: readonly string[], body: string, at: string): string {
  const seconds = Math.floor(Date.parse(at) / 1000);
  const signed = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`);
  return [`t=${seconds}`, ...signed].join(',');
}
