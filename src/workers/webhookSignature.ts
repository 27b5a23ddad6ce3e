/** The headers by which a receiver authenticates a message and detects duplicates. */
import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'X-SEO-Signature';

/**
 * `t={unix seconds},v1={hex}`: HMAC-SHA256 with the endpoint's secret over `{t}.{body}`; one `v1` per secret while a
 * new secret replaces another. Receivers reject a time that is more than five minutes off, so that an intercepted
 * message is useless later.
 */
export function signatureOf(secrets: readonly string[], body: string, at: string): string {
  const seconds = Math.floor(Date.parse(at) / 1000);
  const signed = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signed].join(',');
}
