import type { ComponentProps } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { OUTSIDE, safeLink } from './links.ts';

/** Reports are written by machines about strangers' pages: treated as hostile. The last step lets through only what is listed. */
const SCHEMA = { ...defaultSchema, protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp'] } };

/** The text stands inside a page or dialog that has its own headings. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => (href ? <a {...outside(href)}>{children}</a> : <span>{children}</span>),
  // Nothing is loaded from elsewhere; the picture becomes a link to itself.
  img: ({ src, alt }) => (typeof src === 'string' && safeLink(src) ? <a {...outside(src)}>{alt || 'image'}</a> : <span>{alt}</span>),
  // The box of a task list, for those who hear it.
  input: ({ checked }) => <input type="checkbox" checked={checked === true} disabled readOnly aria-label={checked ? 'done' : 'to do'} />,
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

export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[[rehypeSanitize, SCHEMA]]} urlTransform={(url) => safeLink(url) ?? ''} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
