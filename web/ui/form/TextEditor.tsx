import { clsx } from 'clsx';
import { Suspense } from 'react';
import { lazily } from '../lazily.ts';
import { Loading } from '../Spinner.tsx';
import type { EditorFault, EditorVariable, TextEditorProps } from './editorProps.ts';
import { FieldError } from './Field.tsx';

const CodeEditor = lazily(() => import('./CodeEditor.tsx'), 'CodeEditor');

const NO_FAULTS = (): readonly EditorFault[] => [];
const NO_VARIABLES: readonly EditorVariable[] = [];

/** A field with variables, of several lines unless `oneLine`. Tab moves to the next field, F8 to the next error. */
export function TextEditor({
  label,
  oneLine = false,
  value,
  onChange,
  variables = NO_VARIABLES,
  faultsOf = NO_FAULTS,
  error,
  hint,
  ref,
}: TextEditorProps) {
  const faults = [...new Set(faultsOf(value).map(({ message }) => message))];
  const said = error && !faults.includes(error) ? error : null;
  const problem = [...faults, ...(said ? [said] : [])].join(' ');
  return (
    <div>
      <p aria-hidden="true" className="mb-1 text-sm font-medium text-strong">
        {label}
      </p>
      <div className={clsx(oneLine ? 'min-h-9' : 'min-h-64')}>
        <Suspense fallback={<Loading />}>
          <CodeEditor {...{ ref, label, oneLine, value, onChange, variables, faultsOf, problem }} />
        </Suspense>
      </div>
      <ul aria-live="polite" className="mt-1 text-sm text-bad empty:hidden">
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      {said && <FieldError>{said}</FieldError>}
      {hint && <div className="mt-1 text-sm text-muted">{hint}</div>}
    </div>
  );
}
