/** HTML that text of strangers cannot break out of: every value put into a template is escaped, unless it is HTML of ours already. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[] | null;

/** A template of HTML: `html\`<p>${anything}</p>\``. Attributes must stand in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + rendered(values[index - 1] ?? null) + part));
}

function rendered(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((part) => part.text).join('');
  return escapeHtml(String(value));
}

/** Control characters, and those that turn reading direction around or hide, become spaces; line ends stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
