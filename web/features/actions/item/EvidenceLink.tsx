import { readableAddress } from '../../../../src/model/readableAddress.ts';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { cutMiddle } from '../../../ui/text/wording.ts';

/** Links to a page of the audited site; anything but a web address stays text. */
export function EvidenceLink({ url }: { url: string }) {
  const href = webLink(url);
  const text = cutMiddle(readableAddress(url), 70);
  if (!href) return <span className="font-mono text-sm wrap-anywhere">{text}</span>;
  return (
    <a href={href} title={url} {...OUTSIDE} className="font-mono text-sm link wrap-anywhere">
      {text}
    </a>
  );
}
