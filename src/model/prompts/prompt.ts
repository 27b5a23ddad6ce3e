/** What a language model is asked to do, as data: a text with named variables. What it is asked about, and the rules it must keep, are not part of it. */

export const PROMPT_KEYS = ['seo_analysis', 'seo_actions', 'summary'] as const;
export type PromptKey = (typeof PROMPT_KEYS)[number];

export type PromptVariable = { readonly name: string; readonly description: string };

export type Prompt = {
  readonly key: PromptKey;
  readonly name: string;
  readonly description: string;
  readonly category: PromptKey;
  /** The delivered one is version 1; each one that is saved is the next. */
  readonly version: number;
  readonly variables: readonly PromptVariable[];
  /** Variables stand as `{{name}}`. */
  readonly content: string;
};

/** A prompt that cannot be used as it stands; the message says why, for the person who edits it. */
export class PromptFault extends Error {}

export const MAX_PROMPT_LENGTH = 20_000;
export const PROMPT_NAME_MAX = 120;
export const PROMPT_DESCRIPTION_MAX = 500;
export const PROMPT_NOTE_MAX = 200;

const PLACEHOLDER = /\{\{\s{0,5}([a-z][a-z0-9_]{0,60})\s{0,5}\}\}/g;
/** Values are numbers and words of ours: nothing in them can begin a new line or another variable. */
const PLAIN = /^[\p{L}\p{N} .,_-]{1,80}$/u;

/** A part of a text that cannot stay as it is, and why. */
export type TextFault = { readonly from: number; readonly to: number; readonly message: string };

/** In the order of the text. */
export function variableFaults({ content, variables }: Pick<Prompt, 'content' | 'variables'>): readonly TextFault[] {
  const known = new Set(variables.map(({ name }) => name));
  const faults: TextFault[] = [];
  let from = 0;
  const unclosed = (to: number): void => {
    for (const { 0: marks, index } of content.slice(from, to).matchAll(/\{{2,}|\}{2,}/g))
      faults.push({ from: from + index, to: from + index + marks.length, message: 'A variable is not closed, or its name is no name.' });
  };
  for (const { 0: whole, 1: name = '', index } of content.matchAll(PLACEHOLDER)) {
    unclosed(index);
    from = index + whole.length;
    if (!known.has(name)) faults.push({ from: index, to: from, message: `There is no variable {{${name}}}.` });
  }
  unclosed(content.length);
  return faults;
}

/** Empty when the prompt can be used. */
export function promptFaults(prompt: Pick<Prompt, 'content' | 'variables'>): readonly string[] {
  const { content } = prompt;
  return [
    ...(content.trim() === '' ? ['The text is empty.'] : []),
    ...(content.length > MAX_PROMPT_LENGTH ? [`The text has more than ${MAX_PROMPT_LENGTH} characters.`] : []),
    ...new Set(variableFaults(prompt).map(({ message }) => message)),
  ];
}

/** @throws PromptFault for a text with a fault, a variable without a value, and a value without a variable */
export function renderPrompt(prompt: Prompt, values: Readonly<Record<string, string | number>>): string {
  const [fault] = promptFaults(prompt);
  if (fault !== undefined) throw new PromptFault(fault);
  for (const { name } of prompt.variables) if (!Object.hasOwn(values, name)) throw new PromptFault(`The variable {{${name}}} has no value.`);
  for (const [name, value] of Object.entries(values)) {
    if (!prompt.variables.some((variable) => variable.name === name)) throw new PromptFault(`There is no variable {{${name}}}.`);
    if (!PLAIN.test(String(value))) throw new PromptFault(`The value of {{${name}}} is no plain word or number.`);
  }
  return prompt.content.replace(PLACEHOLDER, (_, name: string) => String(values[name]));
}

/** `seo_actions@3`: stored with every text that was written by it, and the id of the version. */
export function promptName({ key, version }: Pick<Prompt, 'key' | 'version'>): string {
  return `${key}@${version}`;
}
