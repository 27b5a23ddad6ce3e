/**
 * Large plain JSON as text whose lines are small, so that neither all of the text nor all of the data is handled at
 * once. Without its line breaks, and with them, the text is ordinary JSON. Pure.
 */

/** Characters of a line, about: what is larger is written in several. */
const LINE = 32 * 1024;

/** The lines, each with its line break. */
export function* jsonLines(value: unknown): Generator<string, void, void> {
  yield* written(value, '', '');
}

/** `lead`: the comma, if it is not the first of its list or object. */
function* written(value: unknown, lead: string, key: string): Generator<string, void, void> {
  if (typeof value !== 'object' || value === null || sizeUpTo(value, LINE) < LINE) {
    yield `${lead}${key}${JSON.stringify(value) ?? 'null'}\n`;
    return;
  }
  let comma = '';
  if (Array.isArray(value)) {
    yield `${lead}${key}[\n`;
    for (const item of value) {
      yield* written(item, comma, '');
      comma = ',';
    }
    yield ']\n';
    return;
  }
  yield `${lead}${key}{\n`;
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield* written(field, comma, `${JSON.stringify(name)}:`);
    comma = ',';
  }
  yield '}\n';
}

/** The characters of its text, about; stops once they are `most`. */
function sizeUpTo(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 6;
  let size = 2;
  for (const [key, field] of Object.entries(value)) {
    size += (Array.isArray(value) ? 1 : key.length + 4) + sizeUpTo(field, most - size);
    if (size >= most) break;
  }
  return size;
}

type Open = unknown[] | Record<string, unknown>;

export type JsonLinesReader = {
  /** A line, with or without its line break. */
  readonly add: (line: string) => void;
  readonly end: () => unknown;
};

const KEY = /^"(?:[^"\\]|\\.)*":/;

/** Reads such lines, and JSON that is on a single line. */
export function createJsonLinesReader(): JsonLinesReader {
  const open: Open[] = [];
  let root: unknown;

  function put(key: string | null, value: unknown): void {
    const around = open.at(-1);
    if (around === undefined) root = value;
    else if (Array.isArray(around)) around.push(value);
    // Assigned, this name would be the prototype.
    else if (key === '__proto__') Object.defineProperty(around, key, { value, ...LIKE_OTHERS });
    else around[key ?? ''] = value;
  }

  return {
    add: (line) => {
      let rest = line.endsWith('\n') ? line.slice(0, -1) : line;
      if (rest === '') return;
      if (rest === ']' || rest === '}') {
        open.pop();
        return;
      }
      if (rest.startsWith(',')) rest = rest.slice(1);
      const around = open.at(-1);
      const name = around === undefined || Array.isArray(around) ? undefined : KEY.exec(rest)?.[0];
      if (name !== undefined) rest = rest.slice(name.length);
      const key = name === undefined ? null : (JSON.parse(name.slice(0, -1)) as string);
      if (rest !== '[' && rest !== '{') {
        put(key, JSON.parse(rest));
        return;
      }
      const begun: Open = rest === '[' ? [] : {};
      put(key, begun);
      open.push(begun);
    },
    end: () => root,
  };
}

const LIKE_OTHERS = { writable: true, enumerable: true, configurable: true };
