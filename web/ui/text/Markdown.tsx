import { type ComponentProps, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { OUTSIDE, safeLink } from './links.ts';

/**
 * Reports are model output about untrusted pages, so their markdown is treated as hostile. Sanitizing comes last and
 * allows only what the schema lists.
 */
const SCHEMA = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp'] },
};

/** Demotes headings, since the page or dialog around the text has its own. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => (href ? <a {...outside(href)}>{children}</a> : <span>{children}</span>),
  // External images are never loaded; they become links.
  img: ({ src, alt }) =>
    typeof src === 'string' && safeLink(src) ? <a {...outside(src)}>{alt || 'image'}</a> : <span>{alt}</span>,
  // A task list's checkbox, for screen readers.
  input: ({ checked }) => (
    <input type="checkbox" checked={checked === true} disabled readOnly aria-label={checked ? 'done' : 'to do'} />
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <pre tabIndex={0}>{children}</pre>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard; no landmark, since a text may have many.
    <div role="group" aria-label="Table" className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

function outside(href: string): ComponentProps<'a'> {
  return href.startsWith('#') ? { href } : { href, ...OUTSIDE };
}

/** Headings of the second level have the number of their line in their id, after this name. */
const withIds = (name: string): Components => ({
  ...COMPONENTS,
  h2: ({ node, children }) => (
    <h4 id={`${name}-${node?.position?.start.line}`} className="scroll-mt-20">
      {children}
    </h4>
  ),
});

interface MarkdownProps {
  text: string;
  /** Begins the ids of its sections, for links to them. */
  headings?: string;
}

export function Markdown({ text, headings }: MarkdownProps) {
  const components = useMemo(() => (headings === undefined ? COMPONENTS : withIds(headings)), [headings]);
  return (
    <div className="prose">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, SCHEMA]]}
        urlTransform={(url) => safeLink(url) ?? ''}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
