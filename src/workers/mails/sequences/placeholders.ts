/**
 * Fills in placeholders in braces: the few variables a template may use, text filters, `if` and `for`. Bounded in time
 * and size.
 */
import { Liquid, LiquidError, type Template } from 'liquidjs';
import { SEQUENCE_LIMITS, SEQUENCE_PLACEHOLDERS, type SequencePlaceholder } from '../../../model/sequences.ts';

export type PlaceholderValues = Readonly<Record<SequencePlaceholder, string>>;

/** An error in a text, with its line (from 1). */
export type PlaceholderFault = { readonly line: number; readonly message: string };

const TAGS: ReadonlySet<string> = new Set(['if', 'for', 'break', 'continue']);
const FILTERS: ReadonlySet<string> = new Set(
  'append prepend capitalize downcase upcase strip lstrip rstrip squish date default first last size split join replace replace_first remove remove_first truncate truncatewords'.split(
    ' ',
  ),
);

const RENDER_MS = 250;
const RENDER_BYTES = 500_000;
/** Limit of the rendered text: loops can multiply a short one. */
const LONGEST = 3 * SEQUENCE_LIMITS.content;

const engine = createEngine();

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // No other templates can be included.
    templates: {},
    parseLimit: 2 * SEQUENCE_LIMITS.content,
    renderLimit: RENDER_MS,
    memoryLimit: RENDER_BYTES,
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.has(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.has(name)) delete liquid.filters[name];
  return liquid;
}

/** Sample values for validation. */
const SAMPLE: PlaceholderValues = {
  user_name: 'Ann Example',
  user_email: 'ann@example.com',
  app_url: 'https://seo.example.com',
  support_email: 'support@example.com',
  company_name: 'Example',
  signup_date: 'March 10, 2026',
};

/** All errors that can be detected without a recipient; none: it can be sent. */
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

/** @throws on the errors that `placeholderFaults` reports */
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
    .flatMap(([name, places]) =>
      places.map(({ location }) => ({ line: location.row, message: `There is no placeholder {{${name}}}.` })),
    )
    .toSorted((a, b) => a.line - b.line);
}

function faultOf(error: unknown): PlaceholderFault {
  if (!(error instanceof Error)) return { line: 1, message: 'It cannot be read.' };
  if (!LiquidError.is(error)) return { line: 1, message: error.message };
  const [line = 1] = error.token?.getPosition() ?? [];
  // Its message ends with the position, which is reported separately.
  const reason = (error.message.split('\n')[0] ?? '').replace(/, line:\d+, col:\d+$/, '');
  return {
    line,
    message: /limit exceeded/.test(reason)
      ? 'It takes too long or becomes too large.'
      : `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`,
  };
}
