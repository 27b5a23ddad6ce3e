import { useSelector } from 'react-redux';
import { mailtoOf } from '../../../src/model/emailAddress.ts';
import { selectStatus } from '../../api/system.ts';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { PRODUCT_NAME } from '../../ui/product.ts';

/** Linked from the crawler's user agent, for site owners who found it in a log. */
export function AboutCrawlerPage() {
  usePageTitle('About our crawler');
  const email = useSelector(selectStatus)?.support_email;
  return (
    <article className="mx-auto w-full max-w-prose space-y-4 py-6 sm:py-12">
      <h1 className="text-2xl">About our crawler</h1>
      <p>
        A visitor named <code>SEOWorkbench</code> in your server’s log is the crawler of this installation of{' '}
        {PRODUCT_NAME}. It came because someone requested an SEO audit of your site.
      </p>
      <h2 className="text-lg">What it does</h2>
      <ul className="list-disc space-y-1 pl-5">
        <li>It reads robots.txt first and obeys it, including a crawl delay of up to 5 seconds.</li>
        <li>It opens at most 4 pages at once and stops at a page and time limit.</li>
        <li>It reads sitemaps and llms.txt, and checks that linked pages and images respond.</li>
        <li>
          It submits no forms, keeps no cookies, never logs in, and stores facts about pages rather than the pages.
        </li>
      </ul>
      <h2 className="text-lg">How to block it</h2>
      <pre className="overflow-x-auto rounded-card bg-inset p-4 text-sm">{'User-agent: SEOWorkbench\nDisallow: /'}</pre>
      {email && (
        <p>
          Questions or complaints:{' '}
          <a href={mailtoOf(email)} className="link">
            {email}
          </a>
        </p>
      )}
    </article>
  );
}
