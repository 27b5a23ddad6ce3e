/**
 * Email addresses: which are accepted, and the one form in which each is stored, compared and sent to. Shared by the
 * API, the settings and the forms.
 */
import { EMAIL_MAX_LENGTH } from './limits.ts';

export const EMAIL_INVALID = 'Please enter a valid email address';

/** A local part as in RFC 5321 (without quotes), and a domain name in ASCII. */
const ADDRESS =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9][a-z0-9-]{0,62}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i;

/** For an address whose domain is in ASCII. */
export function isEmailAddress(text: string): boolean {
  if (text.length > EMAIL_MAX_LENGTH || !ADDRESS.test(text)) return false;
  const domain = domainIn(text);
  // Labels in Punycode must stand for a name.
  return !/(?:^|\.)xn--/i.test(domain) || URL.canParse(`http://${domain}`);
}

const domainIn = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** What a URL would take for something other than a part of the host name. */
const NO_DOMAIN_CHARACTER = /[^\P{ASCII}A-Za-z0-9.-]/u;
const ONLY_ASCII = /^\p{ASCII}*$/u;

/**
 * With an internationalized domain in its ASCII form (Punycode), by the rules that browsers apply to host names; the
 * DNS and mail servers know no other. All else stays as it is, also a domain that no host can have, which is then not a
 * valid address.
 */
export function withAsciiDomain(email: string): string {
  // Converting a label costs the square of its length.
  if (email.length > EMAIL_MAX_LENGTH) return email;
  const domain = domainIn(email);
  if (domain === email || ONLY_ASCII.test(domain) || NO_DOMAIN_CHARACTER.test(domain)) return email;
  const url = `http://${domain}`;
  return URL.canParse(url) ? email.slice(0, -domain.length) + new URL(url).hostname : email;
}

/** Canonical form of an address, used for uniqueness: different spellings of one mailbox name are the same address. */
export function normaliseEmail(email: string): string {
  return withAsciiDomain(email.trim().normalize('NFC')).toLowerCase();
}

/**
 * For a search by the beginning of an address. The domain may be incomplete, and a label's ASCII form does not begin
 * with that of its own beginning: of a last label that is not ASCII, only the prefix that all such labels share is
 * searched for.
 */
export function beginningOfEmail(text: string): string {
  const beginning = normaliseEmail(text);
  return ONLY_ASCII.test(domainIn(text)) ? beginning : beginning.replace(/xn--[a-z0-9-]*$/, 'xn--');
}

/** A link that writes to the address. */
export function mailtoOf(email: string): string {
  const at = email.lastIndexOf('@');
  return `mailto:${encodeURIComponent(email.slice(0, at))}${email.slice(at)}`;
}

/** Enough to recognize one's own address, too little for anyone else. */
export function maskedEmail(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
}
