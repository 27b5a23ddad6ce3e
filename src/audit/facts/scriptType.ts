/** What a script element holds, by its type, as browsers and readers of structured data decide. */
import { attributeOf, type Element } from './parse/element.ts';

export type ScriptType = 'classic' | 'module' | 'json-ld' | 'data';

/** The types by which browsers run a script. With parameters they do not. */
const JAVASCRIPT =
  /^(?:(?:application|text)\/(?:x-)?(?:ecma|java)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/;

export function scriptTypeOf(element: Element): ScriptType {
  const written = attributeOf(element, 'type');
  const language = attributeOf(element, 'language') ?? '';
  // Without a type, the outdated `language` decides.
  const type = written === null && language !== '' ? `text/${language}` : (written ?? '');
  if (mediaTypeIn(type) === 'application/ld+json') return 'json-ld';
  const lower = type.toLowerCase();
  if (lower === '' || JAVASCRIPT.test(lower.trim())) return 'classic';
  return lower === 'module' ? 'module' : 'data';
}

/** The media type in a type attribute: without parameters, lower case. */
export function mediaTypeIn(type: string | null): string {
  return (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
