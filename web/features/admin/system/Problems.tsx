import type { SystemProblem } from '../../../../src/http/contract/admin/system.ts';
import { Notice } from '../../../ui/Notice.tsx';

export function Problems({ problems }: { problems: readonly SystemProblem[] }) {
  if (problems.length === 0)
    return (
      <Notice tone="good">
        <p>Nothing needs your attention.</p>
      </Notice>
    );
  return (
    <section aria-label="Needs attention" className="space-y-2">
      {problems.map(({ cause, text, todo }) => (
        <Notice key={cause} tone="attention" title={text}>
          <p>{todo}</p>
        </Notice>
      ))}
    </section>
  );
}
