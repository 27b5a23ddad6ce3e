/** Form bodies and queries as Stripe parses them: `items[0][price]=…`, `expand[]=…`. */
import { parseQuery } from '../../model/query.ts';
import { invalid } from './apiError.ts';

export type FormValue = string | readonly FormValue[] | { readonly [name: string]: FormValue };
export type Form = { readonly [name: string]: FormValue };

type Node = Map<string, Node | string>;

/** Stripe takes more of them than the product. */
const LIMITS = { bytes: 1_100_000, parameters: 1_000 };
const DEEPEST = 10;

function pathOf(name: string): string[] {
  const first = name.indexOf('[');
  if (first === -1) return [name];
  const rest = [...name.slice(first).matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '');
  return [name.slice(0, first), ...rest];
}

function put(root: Node, path: readonly string[], value: string): void {
  let node = root;
  for (const [depth, name] of path.entries()) {
    const key = name === '' ? String(node.size) : name;
    if (depth === path.length - 1) {
      node.set(key, value);
      return;
    }
    const next = node.get(key);
    if (next instanceof Map) node = next;
    else {
      const made: Node = new Map();
      node.set(key, made);
      node = made;
    }
  }
}

/** Numeric names form a list. */
function readNode(node: Node | string): FormValue {
  if (typeof node === 'string') return node;
  const names = [...node.keys()];
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name)))
    return [...node].sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => readNode(value));
  return Object.fromEntries([...node].map(([name, value]) => [name, readNode(value)]));
}

/** @throws ApiError when there is too much of it, or it is not UTF-8 */
export function readForm(text: string): Form {
  const fields = parseQuery(text, LIMITS);
  if (fields === 'MALFORMED_UNICODE') throw invalid('The parameters are not valid UTF-8.');
  if (typeof fields === 'string') throw invalid('Too many parameters.');
  const root: Node = new Map();
  for (const [name, value] of fields) {
    const path = pathOf(name);
    if (path.length > DEEPEST || path.includes('__proto__'))
      throw invalid(`Received unknown parameter: ${name}`, 'parameter_unknown', name);
    put(root, path, value);
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, readNode(value)]));
}

/** The same text for the same parameters in any order: identifies the request of an idempotency key. */
export function canonical(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const form = value as Form;
  return `{${Object.keys(form)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(form[name] ?? '')}`)
    .join(',')}}`;
}
