import { Notice } from '../../../ui/Notice.tsx';
import { useGetSystemQuery } from './systemApi.ts';

/** What is wrong, and what helps: above everything else. What keeps it up to date, and says what fails, is `SystemOperations`. */
export function Problems() {
  const { data, isError } = useGetSystemQuery();
  if (!data) return null;
  const { problems } = data;
  if (problems.length === 0)
    // Of what cannot be read nobody knows that all is well.
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
