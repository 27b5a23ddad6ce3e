/**
 * A plain field in the place of the prompt and template editor, which needs a layout: `codeEditor.test.tsx` and the
 * tests in a browser have the editor itself.
 */
import type { Ref } from 'react';

type PlainEditorProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
};

export const CodeEditor = ({ label, value, onChange, ref }: PlainEditorProps) => (
  <textarea ref={ref} aria-label={label} value={value} onChange={(event) => onChange(event.target.value)} />
);
