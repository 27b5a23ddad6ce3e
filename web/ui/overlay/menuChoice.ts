import type { ReactNode } from 'react';

export interface MenuChoice {
  readonly label: ReactNode;
  readonly onChoose: () => void;
  /** The current state cannot be chosen. */
  readonly disabled?: boolean;
}
