/** Fills in what stands in braces: the few words that a template may name, filters that only change text, `if` and `for`. Bounded in time and size. */
import { Liquid, LiquidError, type Template } from 'liquidjs';
import { SEQUENCE_LIMITS, SEQUENCE_PLACEHOLDERS, type SequencePlaceholder } from '../../../model/sequences.ts';

export type PlaceholderValues = Readonly<Record<SequencePlaceholder, string>>;

/** What is wrong with a text, and in which of its lines (from 1). */
export type PlaceholderFault = { readonly line: number; readonly message: string };

const TAGS: ReadonlySet<string> = new Set(['if', 'for', 'break', 'continue']);
const FILTERS: ReadonlySet<string> = new Set(
  'append prepend capitalize downcase upcase strip lstrip rstrip squish date default first last size split join replace replace_first remove remove_first truncate truncatewords'.split(
    ' ',
  ),
);

const RENDER_MS = 250;
const RENDER_BYTES = 500_000;
/** Of what comes of a text: loops may make much of little. */
const LONGEST = 3 * SEQUENCE_LIMITS.content;

const engine = createEngine();

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // There are no other templates to be found.
    templates: {},
    parseLimit: 2 * SEQUENCE_LIMITS.content,
    renderLimit: RENDER_MS,
    memoryLimit: RENDER_BYTES,
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.has(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.has(name)) delete liquid.filters[name];
  return liquid;
}

/** For a trial. */
const SAMPLE: PlaceholderValues = {
  user_name: 'Ann Example',
  user_email: 'ann@example.com',
  app_url: 'https://seo.example.com',
  support_email: 'support@example.com',
  company_name: 'Example',
  signup_date: 'March 10, 2026',
};

/** Every fault that can be known before there is a reader; none: it can be sent. */
export function placeholderFaults(text: string): readonly PlaceholderFault[] {
  try {
    const parsed = engine.parse(text);
    const unknown = unknownIn(parsed);
    if (unknown.length > 0) return unknown;
    render(parsed, SAMPLE);
    return [];
  } catch (error) {
    return [faultOf(error)];
  }
}

/** @throws when it cannot be: faults that `placeholderFaults` names */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string => render(engine.parse(text), values);

function render(parsed: Template[], values: PlaceholderValues): string {
  const text: string = engine.renderSync(parsed, values);
  if (text.length > LONGEST) throw new Error(`It becomes longer than ${LONGEST} characters.`);
  return text;
}

const KNOWN: ReadonlySet<string> = new Set(SEQUENCE_PLACEHOLDERS);

function unknownIn(parsed: Template[]): readonly PlaceholderFault[] {
  const { globals } = engine.analyzeSync(parsed, { partials: false });
  return Object.entries(globals)
    .filter(([name]) => !KNOWN.has(name))
    .flatMap(([name, places]) => places.map(({ location }) => ({ line: location.row, message: `There is no placeholder {{${name}}}.` })))
    .toSorted((a, b) => a.line - b.line);
}

function faultOf(error: unknown): PlaceholderFault {
  if (!(error instanceof Error)) return { line: 1, message: 'It cannot be read.' };
  if (!LiquidError.is(error)) return { line: 1, message: error.message };
  const [line = 1] = error.token?.getPosition() ?? [];
  // Its own text ends with the place, which is told beside it.
  const said = (error.message.split('\n')[0] ?? '').replace(/(, file:.*)?, line:\d+, col:\d+$/, '');
  return { line, message: /limit exceeded/.test(said) ? 'It takes too long or becomes too large.' : `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.` };
}
