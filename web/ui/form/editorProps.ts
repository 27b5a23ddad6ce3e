import type { ReactNode, Ref } from 'react';

/** A variable allowed between two braces: `{{name}}`. */
export interface EditorVariable {
  readonly name: string;
  readonly description: string;
}

/** An invalid part of the text, and why. */
export interface EditorFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface TextEditorProps {
  label: string;
  /** Enter sends the form; pasted line breaks become spaces. */
  oneLine?: boolean;
  value: string;
  onChange: (value: string) => void;
  /** Offered after two braces, and highlighted in the text. */
  variables?: readonly EditorVariable[];
  /** Marked while typing, and listed below. */
  faultsOf?: (text: string) => readonly EditorFault[];
  /** The server's error. */
  error?: string | null | undefined;
  hint?: ReactNode;
  ref?: Ref<EditorHandle>;
}

export interface EditorHandle {
  readonly focus: () => void;
}
