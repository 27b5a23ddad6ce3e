import { Notice } from '../../../ui/Notice.tsx';
import { useGetSystemQuery } from './systemApi.ts';

/** Current problems and what to do, above everything else. `SystemOperations` refreshes the data and shows errors. */
export function Problems() {
  const { data, isError } = useGetSystemQuery();
  if (!data) return null;
  const { problems } = data;
  if (problems.length === 0)
    // Without data, it must not claim that all is well.
    return isError ? null : (
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
