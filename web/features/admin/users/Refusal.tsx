import { textOf } from '../../../api/failure.ts';
import { Notice } from '../../../ui/Notice.tsx';

export function Refusal({ error }: { error: unknown }) {
  if (error === undefined) return null;
  return (
    <Notice tone="bad" className="mt-3">
      <p>{textOf(error)}</p>
    </Notice>
  );
}
