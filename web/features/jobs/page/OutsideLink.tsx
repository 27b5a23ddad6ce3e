import { OUTSIDE, webLink } from '../../../ui/links.ts';
import { cutMiddle } from '../../../ui/wording.ts';

/** An address of the audited site: a link when it is one, and never more than its text. */
export function OutsideLink({ url, length = 70 }: { url: string; length?: number }) {
  const href = webLink(url);
  const text = cutMiddle(url, length);
  if (!href) return <span className="font-mono text-sm [overflow-wrap:anywhere]">{text}</span>;
  return (
    <a href={href} title={url} {...OUTSIDE} className="font-mono text-sm text-accent underline underline-offset-2 [overflow-wrap:anywhere]">
      {text}
    </a>
  );
}
