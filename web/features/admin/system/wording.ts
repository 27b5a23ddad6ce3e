/** Texts for the figures of the system page. */
import type { ServiceStatus } from '../../../../src/model/system.ts';
import type { Tone } from '../../../ui/Notice.tsx';

export const SERVICE_WORDS: Readonly<Record<ServiceStatus, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  not_configured: 'Not configured',
  disabled: 'Disabled',
};
export const SERVICE_TONES: Readonly<Record<ServiceStatus, Tone | 'plain'>> = {
  up: 'good',
  degraded: 'attention',
  down: 'bad',
  not_configured: 'plain',
  disabled: 'plain',
};

const MEGABYTE = 1_048_576;

/** Seconds as '2d 3h 4m': from the largest nonzero unit, always with minutes. */
export function uptimeText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  return [days > 0 && `${days}d`, (days > 0 || hours > 0) && `${hours}h`, `${minutes % 60}m`].filter(Boolean).join(' ');
}

/** Bytes as '82 MB', or '1.5 GB' from a thousand MB up. */
export function bytesText(bytes: number): string {
  const megabytes = bytes / MEGABYTE;
  return megabytes < 1_000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1_024).toFixed(1)} GB`;
}

/** Always in MB: '82 MB'. */
export const memoryText = (bytes: number): string => `${Math.round(bytes / MEGABYTE)} MB`;

/** Seconds in the largest unit: '40 s', '12 min', '3 h', '2 days'. */
export function ageText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

export const MAIL_FAILURES: Readonly<Record<string, string>> = {
  refused: 'The mail server refused it for good',
  too_old: 'It could not be sent within a day',
  given_up: 'It was given up',
};

/** 'password_reset' as 'Password reset'. */
export function mailName(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
