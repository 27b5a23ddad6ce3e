import { Check } from 'lucide-react';
import { useSelector } from 'react-redux';
import { selectUnlimited } from '../../api/system.ts';

type Point = readonly [point: string, detail: string];

const POINTS: readonly Point[] = [
  ['Free SEO audit', 'We crawl and check your pages, and show the evidence for every finding'],
  ['8 actionable fixes', 'The most important ones first, each with its solution'],
  ['Instant health score', 'One number, with every deduction explained'],
  ['AI recommendations', 'What to do about it, in plain language'],
  ['Improvement plan', 'Fixes with time estimates, to work through one by one'],
  ['Free forever for basic analysis', 'No credit card, no trial period'],
];
/** Where nothing is sold. */
const UNLIMITED: readonly Point[] = [
  ['SEO audit', POINTS[0]?.[1] ?? ''],
  ['Actionable fixes', POINTS[1]?.[1] ?? ''],
  ...POINTS.slice(2, -1),
];

export function MarketingPanel() {
  const points = useSelector(selectUnlimited) ? UNLIMITED : POINTS;
  return (
    <section aria-labelledby="what-you-get" className="panel p-6 sm:p-8">
      <h2 id="what-you-get" className="text-xl">
        What you get
      </h2>
      <ul className="mt-5 space-y-4">
        {points.map(([point, detail]) => (
          <li key={point} className="flex gap-3">
            <Check aria-hidden="true" size={18} strokeWidth={2.5} className="mt-0.5 shrink-0 text-good" />
            <div>
              <p className="font-medium text-strong">{point}</p>
              <p className="text-sm text-muted">{detail}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
