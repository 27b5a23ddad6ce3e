/** The headers by which a receiver knows a message for ours, and a copy for a copy. */
import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'X-SEO-Signature';

/**
 * `t={unix seconds},v1={hex}`: HMAC-SHA256 with the endpoint's secret over `{t}.{body}`. Receivers refuse a time that is more than five minutes off,
 * so that a message that was overheard is of no use later.
 */
export function signatureOf(secret: string, body: string, at: string): string {
  const seconds = Math.floor(Date.parse(at) / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
