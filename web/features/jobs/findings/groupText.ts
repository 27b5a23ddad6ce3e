import { addressText } from '../page/addressText.ts';
import type { Place } from './address.ts';

/** By place: one of its groups, and all of them. */
export const PLACE_NOUNS = {
  page: ['page', 'pages'],
  template: ['template', 'templates'],
  root: ['root cause', 'root causes'],
} as const satisfies Record<Place, readonly [string, string]>;

const ROOT_NOUNS: Readonly<Record<string, string>> = {
  template: 'Template',
  link: 'Link',
  image: 'Image',
  header: 'Response header',
  file: 'File',
  page: 'Page',
};

/** How a group is called: `kind` in words, only by root cause, and `name` as the site has it. */
export function groupText(by: Place, value: string, origin: string | null): { kind: string; name: string } {
  if (by === 'page') return { kind: '', name: addressText(value, 80, origin) };
  if (by === 'template') return { kind: '', name: value };
  const at = value.indexOf(' ');
  const [kind, name] = [value.slice(0, at), value.slice(at + 1)];
  if (kind === 'template' && name === '*') return { kind: 'Layout of all templates', name: '' };
  return { kind: ROOT_NOUNS[kind] ?? kind, name };
}
