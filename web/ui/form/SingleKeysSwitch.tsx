import { useId, useState } from 'react';
import { setSingleKeysOff, singleKeysOff } from '../singleKeys.ts';

/** For this browser. `hint`: where it is not beside the keys. */
export function SingleKeysSwitch({ hint }: { hint?: string }) {
  const id = useId();
  const [off, setOff] = useState(singleKeysOff);
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        checked={!off}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => {
          setSingleKeysOff(!target.checked);
          setOff(!target.checked);
        }}
        className="mt-0.5 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-medium text-strong">
          Single-letter keys
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
