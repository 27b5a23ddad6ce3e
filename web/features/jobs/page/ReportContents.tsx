import { stripMarkdown } from '../../../ui/text/wording.ts';

interface Section {
  /** Of its heading, from 1. */
  readonly line: number;
  readonly title: string;
}

/** The sections of a Markdown text: its headings of the second level, but for those in code. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: Section[] = [];
  let isCode = false;
  for (const [at, text] of markdown.split('\n').entries()) {
    if (/^\s{0,3}(```|~~~)/.test(text)) isCode = !isCode;
    else if (!isCode && /^## /.test(text)) sections.push({ line: at + 1, title: stripMarkdown(text) });
  }
  return sections.filter(({ title }) => title !== '');
}

/** Sections from which a list of them helps. */
const FROM = 3;

/** Where there is room, the sections beside the text. `name`: of the headings' ids. */
export function ReportContents({ text, name, label }: { text: string; name: string; label: string }) {
  const sections = sectionsOf(text);
  if (sections.length < FROM) return null;
  return (
    <nav aria-label={`Sections: ${label}`} className="max-xl:hidden">
      <ul className="sticky top-20 border-l border-line text-sm">
        {sections.map(({ line, title }) => (
          <li key={line}>
            <a
              href={`#${name}-${line}`}
              className="flex min-h-8 items-center py-1 pl-3 text-normal underline-offset-2 hover:text-accent hover:underline pointer-coarse:min-h-11"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
