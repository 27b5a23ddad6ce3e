/** The content of a toast. */
export interface ToastText {
  readonly text: string;
  /** An error is announced at once. */
  readonly bad?: boolean;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

export interface ToastEntry {
  readonly kind: string;
  /** Null removes the toast of this kind. */
  readonly toast: ToastText | null;
}
