/** Cuts a markdown text at its headings, without being misled by what stands in code. */

type Section = { readonly heading: string; readonly body: readonly string[] };
export type Sections = { readonly head: readonly string[]; readonly sections: readonly Section[] };

/** `isHeading` is asked about lines outside of fenced code alone. */
export function splitSections(markdown: string, isHeading: (line: string) => boolean): Sections {
  const head: string[] = [];
  const sections: { heading: string; body: string[] }[] = [];
  for (const { line, inCode } of markedLines(markdown.split('\n'))) {
    if (!inCode && isHeading(line)) sections.push({ heading: line, body: [] });
    else (sections.at(-1)?.body ?? head).push(line);
  }
  return { head, sections };
}

/** Each line with whether it belongs to fenced code, its fences included. */
export function markedLines(lines: readonly string[]): { readonly line: string; readonly inCode: boolean }[] {
  let fence: string | null = null;
  return lines.map((line) => {
    // Backticks that come again in the line are code within it, not a fence.
    const run = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (fence === null) {
      fence = run ?? null;
      return { line, inCode: fence !== null };
    }
    if (run?.startsWith(fence) && line.trim() === run) fence = null;
    return { line, inCode: true };
  });
}
