import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { addressText } from './addressText.ts';

interface OutsideLinkProps {
  url: string;
  length?: number;
  /** The site's origin, omitted from the text. */
  origin?: string | null;
}

/** An address of the audited site: a link if it is a web address, otherwise plain text. */
export function OutsideLink({ url, length = 70, origin = null }: OutsideLinkProps) {
  const href = webLink(url);
  const text = addressText(url, length, origin);
  if (!href) return <span className="font-mono text-sm wrap-anywhere">{text}</span>;
  return (
    <a href={href} title={url} {...OUTSIDE} className="font-mono text-sm link wrap-anywhere">
      {text}
    </a>
  );
}
