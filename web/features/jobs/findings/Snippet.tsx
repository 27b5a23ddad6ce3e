import type { CauseView } from '../../../../src/http/contract/findings.ts';
import { editText, isOnPage } from '../../../../src/model/edits.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { addressText } from '../page/addressText.ts';
import type { Findings } from '../page/reportApi.ts';

type Finding = Findings['findings'][number];

interface SnippetProps {
  /** Findings with code. */
  own: readonly Finding[];
  /** There are others, which were not requested. */
  more: boolean;
  example: CauseView['example'];
  /** The site's origin, omitted from addresses. */
  origin: string | null;
}

/** Code for this site; where there is none, an example, which is called one. */
export function Snippet({ own, more, example, origin }: SnippetProps) {
  const [first] = own;
  const of = own.length < 2 ? '' : ` (1 of ${own.length}${more ? ' or more' : ''})`;
  if (first?.code) return <OwnCode finding={first} code={first.code} of={of} origin={origin} />;
  if (example === null) return null;
  if (example.before === null) return <Code title="Example" text={example.after} />;
  return (
    <>
      <Code title="Example, before" text={example.before} />
      <Code title="After" text={example.after} />
    </>
  );
}

interface OwnCodeProps {
  finding: Finding;
  code: string;
  /** How many more there are. */
  of: string;
  origin: string | null;
}

function OwnCode({ finding: { url = '', edit }, code, of, origin }: OwnCodeProps) {
  const what = edit ? editText(edit, code, inCode) : 'Code';
  const page = inCode(addressText(url, 50, origin));
  return <Code title={`${edit && !isOnPage(edit) ? what : `${what}, for ${page}`}${of}`} text={code} />;
}

export const inCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

function Code({ title, text }: { title: string; text: string }) {
  return (
    <div className="mt-3">
      <div className="flex items-end justify-between gap-2">
        <p className="min-w-0 py-1 text-sm font-medium text-strong wrap-anywhere">
          <InlineText text={title} />
        </p>
        <CopyButton text={text} what="the code" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <pre tabIndex={0} className="mt-1 max-h-96 overflow-auto rounded-control bg-inset p-3 font-mono text-sm">
        {text}
      </pre>
    </div>
  );
}
