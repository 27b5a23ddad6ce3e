/** What is said in passing. */
export interface ToastText {
  readonly text: string;
  /** A failure is read out at once. */
  readonly bad?: boolean;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

export interface ToastEntry {
  readonly kind: string;
  /** Nothing: what was said of this kind is taken back. */
  readonly toast: ToastText | null;
}
