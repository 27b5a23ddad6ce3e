import type { ReactNode } from 'react';

export interface MenuChoice {
  readonly label: ReactNode;
  readonly onChoose: () => void;
  /** Stands for the state that is there already. */
  readonly disabled?: boolean;
}
