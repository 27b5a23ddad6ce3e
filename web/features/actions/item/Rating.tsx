import { Star } from 'lucide-react';
import { useId } from 'react';
import type { ActionWork } from '../work.ts';
import type { ActionItem } from './actionItem.ts';

const WORDS = ['No effect', 'A little', 'Some', 'Good', 'Very good'] as const;

/** How well a completed task worked, 1 to 5. */
export function Rating({ item, work }: { item: ActionItem; work: ActionWork }) {
  const id = useId();
  const word = item.rating === null ? 'Not rated yet' : (WORDS[item.rating - 1] ?? '');
  return (
    <fieldset className="mt-3 border-t border-line pt-3">
      <legend className="float-left text-sm text-muted">How well did it work?</legend>
      <div className="clear-both flex items-center pt-1">
        {WORDS.map((name, index) => {
          const value = index + 1;
          return (
            <label
              key={name}
              title={name}
              className="grid size-8 cursor-pointer place-items-center rounded-control has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent pointer-coarse:size-11"
            >
              <input
                type="radio"
                name={id}
                value={value}
                checked={item.rating === value}
                onChange={() => work.rate(item, value)}
                aria-label={`${value} of 5: ${name}`}
                className="sr-only"
              />
              <Star
                aria-hidden="true"
                size={18}
                className={value <= (item.rating ?? 0) ? 'fill-attention text-attention' : 'text-muted'}
              />
            </label>
          );
        })}
      </div>
      <p className="text-sm text-muted">{word}</p>
    </fieldset>
  );
}
