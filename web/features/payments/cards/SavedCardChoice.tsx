import type { SavedCard } from './savedCards.ts';

interface SavedCardChoiceProps {
  cards: readonly SavedCard[];
  /** Id of the chosen card; null to enter another one. */
  chosen: string | null;
  onChoose: (id: string | null) => void;
}

/** Choice between the buyer's saved cards and another card. */
export function SavedCardChoice({ cards, chosen, onChoose }: SavedCardChoiceProps) {
  return (
    <div role="radiogroup" aria-label="Card" className="space-y-2">
      {cards.map(({ id, name, expires }) => (
        <Choice
          key={id}
          label={name}
          hint={`Expires ${expires}`}
          checked={chosen === id}
          onChoose={() => onChoose(id)}
        />
      ))}
      <Choice label="Use another card" checked={chosen === null} onChoose={() => onChoose(null)} />
    </div>
  );
}

function Choice({
  label,
  hint,
  checked,
  onChoose,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onChoose: () => void;
}) {
  return (
    <label className="flex min-h-9 items-center gap-2 rounded-control border border-line px-3 py-1.5 has-checked:border-accent has-checked:bg-accent-soft pointer-coarse:min-h-11">
      <input type="radio" name="card" className="size-4 shrink-0 accent-accent" checked={checked} onChange={onChoose} />
      <span className="min-w-0 flex-1 font-medium text-strong">{label}</span>
      {hint && <span className="text-sm text-muted tabular-nums">{hint}</span>}
    </label>
  );
}
