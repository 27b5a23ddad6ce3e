/**
 * The network that a submission comes from, as it may be stored: so short a keyed hash that many networks share it, with
 * a key that is gone after two days. It says which waiting audits come from the same place, and nothing else.
 */
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Marks } from '../../readModels/claims.ts';
import { networkKeyOf } from '../../readModels/networkKeys.ts';
import type { NetworkOf } from '../deps/deps.ts';

/** Hexadecimal digits: 16 bits. */
const DIGITS = 4;

/** A private or unknown address has no network: it may be anybody's. */
export function createNetworkOf(marks: Pick<Marks, 'writeFirst'>): NetworkOf {
  let known: { readonly day: string; readonly key: Buffer } | null = null;
  return async (address, now) => {
    const network = publicNetwork(address);
    if (network === null) return null;
    const day = now.slice(0, 10);
    if (known?.day !== day) known = { day, key: await networkKeyOf(marks, day) };
    return createHmac('sha256', known.key).update(network).digest('hex').slice(0, DIGITS);
  };
}

/** The /24 or /64 of a public address. */
export function publicNetwork(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return null;
  const bytes = parsed.toByteArray();
  return bytes.slice(0, parsed.kind() === 'ipv4' ? 3 : 8).join('.');
}
