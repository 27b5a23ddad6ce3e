/**
 * Tokens of shared links: the audit's id, then 256 unguessable bits. Only their hashes are stored; the bits are derived
 * from the installation's secret and the link's id, so that the link can be shown to its owner again.
 */
import { createHmac } from 'node:crypto';

const TOKEN = /^([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{43})$/;

/** `jobId` is a UUID. */
export function shareToken(secret: string, jobId: string, shareId: string): string {
  const job = Buffer.from(jobId.replaceAll('-', ''), 'hex').toString('base64url');
  return `${job}${createHmac('sha256', secret).update(`share:${jobId}:${shareId}`).digest('base64url')}`;
}

/** Null if it cannot be one of our tokens. */
export function jobIdOfShareToken(token: string): string | null {
  const job = TOKEN.exec(token)?.[1];
  if (job === undefined) return null;
  const hex = Buffer.from(job, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
