import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { readSettings } from '../../../../web/features/jobs/submit/settingsForm.ts';
import { enter } from '../../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { run } from '../../given/findings.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse, runningJob } from '../../given/views.ts';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
});

async function home(jobs: readonly JobView[] = []) {
  server.on('GET /api/v1/jobs', jobsResponse(jobs));
  const app = renderApp('/');
  await screen.findByRole('tab', { name: /^All/ });
  await subscriptionAnswered(app);
  return app;
}
const heading = (): HTMLElement => screen.getByText(/^Crawl settings/);
const submit = (): HTMLElement => screen.getByRole('button', { name: 'Generate SEO Reports' });
const accepted = () => {
  const job = runningJob({ status: 'pending' });
  server.on('POST /api/v1/process', { status: 202, body: { success: true, data: job, job } });
  server.on('POST /api/v1/process/batch', { status: 202, body: { success: true, jobs: [job] } });
};
const bodies = (path = '/api/v1/process') => server.asked(`POST ${path}`).map(({ body }) => body);

describe('the crawl settings of the form', () => {
  it('are collapsed, are sent with the address, and are empty again afterward', async () => {
    accepted();
    const { user } = await home();
    expect(screen.queryByLabelText('Folder')).toBeNull();
    await user.click(heading());
    await enter(user, await screen.findByLabelText('Pages at most'), '40');
    await enter(user, screen.getByLabelText('Folder'), 'blog');
    await enter(user, screen.getByLabelText('Only pages like'), '/blog/*\n\n/news/*');
    await enter(user, screen.getByLabelText('No pages like'), '*?sort=');
    await user.click(screen.getByLabelText('Sitemap only'));
    expect(heading().parentElement).toHaveTextContent(
      'Crawl settings: /blog/ only, only pages like /blog/*, /news/*, without *?sort=, only what the sitemap lists, 40 pages',
    );
    await enter(user, screen.getByLabelText('Website address'), 'example.com');
    await user.click(submit());
    await waitFor(() =>
      expect(bodies()).toEqual([
        {
          url: 'example.com',
          options: {
            maxPages: 40,
            folder: '/blog/',
            include: ['/blog/*', '/news/*'],
            exclude: ['*?sort='],
            sitemapOnly: true,
          },
        },
      ]),
    );
    await waitFor(() => expect(screen.getByLabelText('Folder')).toHaveValue(''));
    expect(screen.getByLabelText('Sitemap only')).not.toBeChecked();
  });

  it('are the same for a batch', async () => {
    accepted();
    const { user } = await home();
    await user.click(heading());
    await enter(user, await screen.findByLabelText('Folder'), '/blog/');
    await user.click(screen.getByRole('tab', { name: 'Batch' }));
    await enter(user, await screen.findByLabelText('Website addresses, one per line'), 'a.example\nb.example');
    expect(heading().parentElement).toHaveTextContent('/blog/ only');
    await user.click(submit());
    await waitFor(() =>
      expect(bodies('/api/v1/process/batch')).toEqual([
        { urls: ['a.example', 'b.example'], options: { folder: '/blog/' } },
      ]),
    );
  });

  it('say at each field what is wrong, open themselves, and send nothing', async () => {
    accepted();
    const { user } = await home();
    await user.click(heading());
    await enter(user, await screen.findByLabelText('Pages at most'), '51');
    await enter(user, screen.getByLabelText('Folder'), 'https://example.com/blog/');
    await enter(user, screen.getByLabelText('Only pages like'), '/a\nblog');
    await user.click(heading());
    expect(screen.getByLabelText('Folder')).not.toBeVisible();
    await enter(user, screen.getByLabelText('Website address'), 'example.com');
    await user.click(submit());
    const pages = screen.getByLabelText('Pages at most');
    expect(pages).toBeVisible();
    expect(pages).toHaveFocus();
    expect(pages).toHaveAccessibleDescription(
      /^Please enter a whole number from 1 to 50. This installation audits no more pages./,
    );
    expect(screen.getByLabelText('Folder')).toHaveAccessibleDescription(/^Please enter a path such as \/blog\//);
    expect(screen.getByLabelText('Only pages like')).toHaveAccessibleDescription(
      /blog: A pattern starts with \/ or \*/,
    );
    expect(screen.getByLabelText('No pages like')).not.toHaveAttribute('aria-invalid');
    expect(bodies()).toEqual([]);
  });

  it('show what the server refused at its field', async () => {
    server.on(
      'POST /api/v1/process',
      refusal(400, 'No more than 10.', 'INVALID_INPUT', {
        issues: [{ path: 'options.maxPages', message: 'No more than 10.' }],
      }),
    );
    const { user } = await home();
    await enter(user, screen.getByLabelText('Website address'), 'example.com');
    await user.click(heading());
    await enter(user, await screen.findByLabelText('Pages at most'), '40');
    await user.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent('No more than 10.');
    expect(screen.getByLabelText('Pages at most')).toHaveFocus();
    expect(screen.getByLabelText('Website address')).toHaveValue('example.com');
  });
});

describe('the settings of an audit', () => {
  const settings = { folder: '/blog/', maxPages: 40 };

  it('stand in its row, and are sent again', async () => {
    accepted();
    const { user } = await home([completedJob({ settings })]);
    expect(screen.getByText('/blog/ only, 40 pages')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Run example.com again' }));
    await waitFor(() => expect(bodies()).toEqual([{ url: 'https://www.example.com/', options: settings }]));
  });

  it('stand on its page, beside the reason why no change is shown', async () => {
    const job = completedJob({ settings });
    server.on('GET /api/v1/jobs', jobsResponse([job]));
    server.on('GET /api/v1/jobs/job-1', { success: true, data: job });
    const because = 'the audits cover different parts of the site';
    const runs = [run('before', { score: 60, comparable: false, because }), run('job-1', { settings })];
    server.on('GET /api/v1/jobs/job-1/runs', {
      success: true,
      data: { host: 'www.example.com', runs, truncated: false },
    });
    renderApp('/dashboard/jobs/job-1');
    expect(await screen.findByText('Crawl settings: /blog/ only, 40 pages')).toBeVisible();
    expect(await screen.findByText(`No change shown: ${because}.`)).toBeVisible();
    expect(screen.queryByText(/(up|down) since/)).toBeNull();
  });
});

describe('reading the fields', () => {
  const entered = { maxPages: '', folder: '', include: '', exclude: '', sitemapOnly: false };

  it('finds nothing in empty ones', () => {
    expect(readSettings(entered, 50)).toEqual({ settings: undefined, problems: {} });
  });

  it.each(['0', '-1', '1.5', '51', '1e1', 'many', '9999999'])('refuses %j pages of 50', (maxPages) => {
    expect(readSettings({ ...entered, maxPages }, 50).problems).toHaveProperty('maxPages');
  });

  it.each(['1', ' 50 '])('takes %j pages of 50', (maxPages) => {
    expect(readSettings({ ...entered, maxPages }, 50)).toEqual({
      settings: { maxPages: Number(maxPages) },
      problems: {},
    });
  });

  it('leaves the limit to the server while it is not known', () => {
    expect(readSettings({ ...entered, maxPages: '4000' }, 0).problems).toEqual({});
  });

  it('refuses more than twenty patterns', () => {
    const include = Array.from({ length: 21 }, (_, nth) => `/${nth}`).join('\n');
    expect(readSettings({ ...entered, include }, 50).problems.include).toBe('Please enter at most 20 patterns.');
  });
});
