/**
 * Finds the regular expressions of a TypeScript source: literals as the lexical grammar has them, outside strings and
 * comments.
 */
export type RegexLiteral = { readonly source: string; readonly flags: string; readonly line: number };

/** After these, a slash is a division: it follows a value. */
const KEYWORDS_BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'instanceof',
  'new',
  'do',
  'else',
  'yield',
  'await',
  'throw',
]);

export function regexLiterals(code: string): RegexLiteral[] {
  const found: RegexLiteral[] = [];
  /** Open template literals: how many braces are open inside the current substitution of each. */
  const templates: number[] = [];
  let at = 0;
  let isValueBefore = false;
  while (at < code.length) {
    const rest = code.slice(at, at + 2);
    const character = code[at] ?? '';
    if (rest === '//') at = lineEnd(code, at);
    else if (rest === '/*') at = code.indexOf('*/', at + 2) + 2 || code.length;
    else if (/\s/.test(character)) at++;
    else if (character === "'" || character === '"') {
      at = stringEnd(code, at);
      isValueBefore = true;
    } else if (character === '`' || (character === '}' && templates.at(-1) === 0)) {
      if (character === '}') templates.pop();
      const end = templateEnd(code, at + 1);
      if (code[end - 1] === '{') templates.push(0);
      isValueBefore = code[end - 1] === '`';
      at = end;
    } else if (character === '/' && !isValueBefore) {
      const end = regexEnd(code, at);
      const flags = /^[a-z]*/.exec(code.slice(end))?.[0] ?? '';
      found.push({ source: code.slice(at + 1, end - 1), flags, line: code.slice(0, at).split('\n').length });
      at = end + flags.length;
      isValueBefore = true;
    } else if (/[\w$]/.test(character)) {
      const word = /^[\w$.]+/.exec(code.slice(at, at + 200))?.[0] ?? character;
      isValueBefore = !KEYWORDS_BEFORE_REGEX.has(word);
      at += word.length;
    } else {
      if (templates.length > 0 && character === '{') templates[templates.length - 1] = (templates.at(-1) ?? 0) + 1;
      if (templates.length > 0 && character === '}') templates[templates.length - 1] = (templates.at(-1) ?? 0) - 1;
      isValueBefore = character === ')' || character === ']' || character === '}';
      at++;
    }
  }
  return found;
}

function lineEnd(code: string, from: number): number {
  const end = code.indexOf('\n', from);
  return end < 0 ? code.length : end;
}

function stringEnd(code: string, from: number): number {
  let at = from + 1;
  while (at < code.length && code[at] !== code[from]) at += code[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Behind the closing backtick or the `${` of a substitution. */
function templateEnd(code: string, from: number): number {
  let at = from;
  while (at < code.length && code[at] !== '`' && code.slice(at, at + 2) !== '${') at += code[at] === '\\' ? 2 : 1;
  return at + (code[at] === '`' ? 1 : 2);
}

/** Behind the closing slash. */
function regexEnd(code: string, from: number): number {
  let isInClass = false;
  let at = from + 1;
  while (at < code.length && (isInClass || code[at] !== '/')) {
    if (code[at] === '\\') at++;
    else if (code[at] === '[') isInClass = true;
    else if (code[at] === ']') isInClass = false;
    at++;
  }
  return at + 1;
}
