import { Fragment } from 'react';

/** Plain text in which only `code` is formatted. */
export function InlineText({ text }: { text: string }) {
  let at = 0;
  // Before code that begins the text, and after code that ends it, there is nothing.
  const parts = text.split(/(`[^`\n]+`)/).filter((part) => part !== '');
  return parts.map((part) => {
    at += part.length;
    if (!/^`[^`]+`$/.test(part)) return <Fragment key={at}>{part}</Fragment>;
    return (
      <code key={at} className="rounded-[4px] bg-inset px-1 font-mono text-[0.92em]">
        {part.slice(1, -1)}
      </code>
    );
  });
}
