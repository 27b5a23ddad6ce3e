/** Authenticator app codes (RFC 6238): SHA-1, six digits, 30 seconds, which every app supports. */
import { Secret, TOTP } from 'otpauth';

/** The name shown in the app. */
const ISSUER = 'SEO Workbench';
const PERIOD_SECONDS = 30;
/** Tolerated clock drift of the phone, in steps. */
const WINDOW = 1;
/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** 160 random bits, base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Content of the QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The step the code belongs to, among those around `at` (UTC ISO); null if none matches. */
export function stepOfCode(secret: string, code: string, at: string): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = Date.parse(at);
  const delta = totpOf(secret).validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta;
}
