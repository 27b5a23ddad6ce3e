import type { ReactNode } from 'react';

/** What may stand between two braces: `{{name}}`. */
export interface EditorVariable {
  readonly name: string;
  readonly description: string;
}

/** A part of the text that cannot stay as it is, and why. */
export interface EditorFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface TextEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Offered after two braces, and marked where they stand. */
  variables?: readonly EditorVariable[];
  /** Marked while somebody types, and told below. */
  faultsOf?: (text: string) => readonly EditorFault[];
  /** What the server said of it. */
  error?: string | null | undefined;
  hint?: ReactNode;
}
