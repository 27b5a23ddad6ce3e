/** Texts of checks as earlier versions stored them. Pure and total: whatever was stored, nothing is thrown. */

type Fields = Readonly<Record<string, unknown>>;

/** `why`, `businessValue`, `fix` and `codeExample` of a stored check as its risk, gain, steps and example. */
export function presentTexts(check: unknown): unknown {
  if (typeof check !== 'object' || check === null) return check;
  const { why, businessValue, fix, codeExample, ...rest } = check as Fields;
  return {
    ...rest,
    risk: why,
    gain: businessValue,
    steps: stepsOf(fix),
    example: typeof codeExample === 'string' ? { before: null, after: codeExample } : null,
  };
}

/** One text on what to do as a list of steps. */
export const stepsOf = (fix: unknown): readonly string[] => (typeof fix === 'string' ? [fix] : []);
