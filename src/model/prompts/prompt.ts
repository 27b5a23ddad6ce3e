/**
 * Prompts for a language model, as data: a text with named variables. The subject matter and the mandatory rules are
 * not part of it.
 */

export const PROMPT_KEYS = ['seo_analysis', 'seo_actions', 'summary'] as const;
export type PromptKey = (typeof PROMPT_KEYS)[number];

export type PromptVariable = { readonly name: string; readonly description: string };

export type Prompt = {
  readonly key: PromptKey;
  readonly name: string;
  readonly description: string;
  readonly category: PromptKey;
  /** The delivered prompt is version 1; each saved one is the next. */
  readonly version: number;
  readonly variables: readonly PromptVariable[];
  /** Variables are written as `{{name}}`. */
  readonly content: string;
};

/** A prompt that cannot be used as it is; the message tells its editor why. */
export class PromptFault extends Error {}

export const MAX_PROMPT_LENGTH = 20_000;
export const PROMPT_NAME_MAX = 120;
export const PROMPT_DESCRIPTION_MAX = 500;
export const PROMPT_NOTE_MAX = 200;

const PLACEHOLDER = /\{\{\s{0,5}([a-z][a-z0-9_]{0,60})\s{0,5}\}\}/g;
/** Values are numbers and our own words: nothing in them can start a new line or another variable. */
const PLAIN = /^[\p{L}\p{N} .,_-]{1,80}$/u;

/** A part of a text that must be changed, and why. */
export type TextFault = { readonly from: number; readonly to: number; readonly message: string };

/** In text order. */
export function variableFaults({ content, variables }: Pick<Prompt, 'content' | 'variables'>): readonly TextFault[] {
  const known = new Set(variables.map(({ name }) => name));
  const faults: TextFault[] = [];
  let from = 0;
  const unclosed = (to: number): void => {
    for (const { 0: marks, index } of content.slice(from, to).matchAll(/\{{2,}|\}{2,}/g))
      faults.push({
        from: from + index,
        to: from + index + marks.length,
        message: 'A variable is not closed, or its name isn’t valid.',
      });
  };
  for (const { 0: whole, 1: name = '', index } of content.matchAll(PLACEHOLDER)) {
    unclosed(index);
    from = index + whole.length;
    if (!known.has(name)) faults.push({ from: index, to: from, message: `There is no variable {{${name}}}.` });
  }
  unclosed(content.length);
  return faults;
}

/** Empty if the prompt can be used. */
export function promptFaults(prompt: Pick<Prompt, 'content' | 'variables'>): readonly string[] {
  const { content } = prompt;
  return [
    ...(content.trim() === '' ? ['The text is empty.'] : []),
    ...(content.length > MAX_PROMPT_LENGTH ? [`The text has more than ${MAX_PROMPT_LENGTH} characters.`] : []),
    ...new Set(variableFaults(prompt).map(({ message }) => message)),
  ];
}

/** @throws PromptFault for an invalid text, a variable without a value, or a value without a variable */
export function renderPrompt(prompt: Prompt, values: Readonly<Record<string, string | number>>): string {
  const [fault] = promptFaults(prompt);
  if (fault !== undefined) throw new PromptFault(fault);
  for (const { name } of prompt.variables)
    if (!Object.hasOwn(values, name)) throw new PromptFault(`The variable {{${name}}} has no value.`);
  for (const [name, value] of Object.entries(values)) {
    if (!prompt.variables.some((variable) => variable.name === name))
      throw new PromptFault(`There is no variable {{${name}}}.`);
    if (!PLAIN.test(String(value))) throw new PromptFault(`The value of {{${name}}} isn’t a plain word or number.`);
  }
  return prompt.content.replace(PLACEHOLDER, (_, name: string) => String(values[name]));
}

/** `seo_actions@3`: stored with every text produced by it, and the id of the version. */
export function promptName({ key, version }: Pick<Prompt, 'key' | 'version'>): string {
  return `${key}@${version}`;
}
