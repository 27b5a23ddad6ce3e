/** What is stored about the device of a session: enough for its owner to recognize it, too little to track anyone. */
import type { SessionClient } from '../../domain/account/events.ts';
import { addressKey } from './rateLimits.ts';

/** First match wins, as some browsers name others too. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export function clientOf({ agent, address }: { readonly agent: string; readonly address: string }): SessionClient {
  const nameIn = (names: typeof BROWSERS): string | undefined =>
    names.find(([pattern]) => pattern.test(agent.slice(0, 500)))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return {
    agent: browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Another program'),
    network: networkOf(address),
  };
}

/** The network of an address: an IPv4 address without its last part, or the first three groups of an IPv6 address. */
function networkOf(address: string): string {
  const key = addressKey(address);
  return key.includes(':') ? `${key.split(':').slice(0, 3).join(':')}:…` : key.replace(/\.\d+$/, '.x');
}
