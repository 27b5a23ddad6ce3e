/** The prompts of admins: edited, saved concurrently, compared, restored. A plain field replaces the editor. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PromptVersionView, PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { BUILT_IN_PROMPTS } from '../../../../src/model/prompts/builtIn.ts';
import { PROMPT_KEYS } from '../../../../src/model/prompts/prompt.ts';
import { enter } from '../../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { position, profileResponse } from '../../given/views.ts';

const LIST = 'GET /api/v1/admin/prompts';
const SAVE = 'PUT /api/v1/admin/prompts/seo_analysis';
const HISTORY = 'GET /api/v1/admin/prompts/seo_analysis/history';
const DELIVERED = BUILT_IN_PROMPTS.seo_analysis.content;

function prompt(key: PromptView['key'], over: Partial<PromptView> = {}): PromptView {
  const { name, description, content, variables, category } = BUILT_IN_PROMPTS[key];
  return {
    key,
    name,
    description,
    content,
    is_active: true,
    version: 1,
    variables: [...variables],
    category,
    updated_at: null,
    ...over,
  };
}
const version = (number: number, content: string, change_note: string): PromptVersionView => ({
  id: `seo_analysis@${number}`,
  version: number,
  created_at: number === 1 ? null : '2026-03-10T12:00:00.000Z',
  change_note,
  content,
});

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
/** The server's text of the first one. */
let kept: PromptView;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  kept = prompt('seo_analysis');
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on(LIST, () => ({
    success: true,
    prompts: PROMPT_KEYS.map((key) => (key === 'seo_analysis' ? kept : prompt(key))),
  }));
  server.on(SAVE, ({ body }: { body: Partial<PromptView> }) => {
    if (body.version !== kept.version) return refusal(409, `Version ${kept.version} was saved.`, 'PROMPT_CHANGED');
    kept = { ...kept, ...body, version: kept.version + 1 };
    return { success: true, prompt: kept };
  });
});

async function opened(path = '/admin/prompts') {
  const app = renderApp(path);
  const editor = await screen.findByLabelText('Prompt', { selector: 'textarea' });
  const write = async (text: string): Promise<void> => {
    await app.user.clear(editor);
    await enter(app.user, editor, text);
  };
  return { ...app, editor, write };
}
/** A toast that is announced at once exists twice. */
const warned = async (text: string) => expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
const saveButton = () => screen.getByRole('button', { name: 'Save' });
const bodyOf = (route: string) => server.asked(route).at(-1)?.body;

describe('the list of prompts', () => {
  it('is grouped by category, with the one of the address in the editor', async () => {
    await opened('/admin/prompts?prompt=summary');
    const list = screen.getByRole('navigation', { name: 'Prompts' });
    expect(
      within(list)
        .getAllByRole('heading')
        .map(({ textContent }) => textContent),
    ).toEqual(['SEO analysis', 'SEO actions', 'Summary']);
    expect(within(list).getByRole('link', { name: 'Executive summary' })).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('heading', { name: /^Executive summary/, level: 2 })).toHaveTextContent('Version 1');
    expect(screen.getByText('{{max_points}}')).toBeVisible();
    expect(screen.getByText('Actions that the summary tells of, at most.')).toBeVisible();
  });

  it('says when it cannot be loaded, and offers a retry', async () => {
    server.on(LIST, refusal(503, 'away'));
    const { user } = renderApp('/admin/prompts');
    await warned('Failed to load prompts');
    server.on(LIST, { success: true, prompts: [prompt('summary')] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByLabelText('Prompt', { selector: 'textarea' })).toHaveValue(
      BUILT_IN_PROMPTS.summary.content,
    );
  });

  it('is closed to former admins', async () => {
    server.on(LIST, refusal(403, 'Access denied. Admin privileges required.', 'FORBIDDEN'));
    renderApp('/admin/prompts');
    expect(await screen.findByText('Access Denied')).toBeVisible();
  });
});

describe('a prompt', () => {
  it('is saved with its note, as the next version', async () => {
    const { user, write, editor } = await opened();
    expect(saveButton()).toHaveAttribute('aria-disabled', 'true');
    await write('Write {{max_paragraphs}} paragraphs.');
    await user.type(screen.getByLabelText('Change note (optional)'), 'Shorter');
    await user.click(screen.getByLabelText('Active'));
    await user.click(saveButton());
    expect(await screen.findByText('Prompt saved successfully!')).toBeVisible();
    const { name, description } = BUILT_IN_PROMPTS.seo_analysis;
    expect(bodyOf(SAVE)).toEqual({
      content: 'Write {{max_paragraphs}} paragraphs.',
      name,
      description,
      is_active: false,
      change_note: 'Shorter',
      version: 1,
    });
    expect(await screen.findByText('Version 2')).toBeVisible();
    expect(screen.getByText('This prompt is off')).toBeVisible();
    expect(editor).toHaveValue('Write {{max_paragraphs}} paragraphs.');
    expect(saveButton()).toHaveAttribute('aria-disabled', 'true');
    expect(saveButton()).toHaveFocus();
  });

  it('keeps text typed during a save, for the next version', async () => {
    const { user, write, editor } = await opened();
    await write('One.');
    kept = { ...kept, content: 'One.', version: 2 };
    const slow = held({ success: true, prompt: kept });
    server.on(SAVE, () => slow.answer);
    await user.click(saveButton());
    await user.type(editor, ' Two.');
    slow.letGo();
    expect(await screen.findByText('Prompt saved successfully!')).toBeVisible();
    expect(await screen.findByText('Version 2')).toBeVisible();
    expect(editor).toHaveValue('One. Two.');
    expect(screen.queryByText(/was saved while you were editing/)).toBeNull();
    await user.click(saveButton());
    await waitFor(() => expect(bodyOf(SAVE)).toMatchObject({ content: 'One. Two.', version: 2 }));
  });

  it('is not saved with an error', async () => {
    const { write } = await opened();
    await write('For {{reader}} {{max_paragraphs}.');
    expect(screen.getByText('There is no variable {{reader}}.')).toBeVisible();
    expect(screen.getByText('A variable is not closed, or its name isn’t valid.')).toBeVisible();
    expect(saveButton()).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Show what is sent' })).toBeDisabled();
  });

  it('keeps its text when saving fails', async () => {
    server.on(SAVE, refusal(503, 'The server cannot reach its data at the moment.'));
    const { user, write, editor } = await opened();
    await write('Mine.');
    await user.click(saveButton());
    await warned('Failed to save prompt');
    expect(screen.getByText('The server cannot reach its data at the moment.')).toBeVisible();
    expect(editor).toHaveValue('Mine.');
  });

  it('keeps its text while another page is open', async () => {
    const { user, write } = await opened();
    await write('Half a sentence');
    await user.click(screen.getByRole('link', { name: 'Overview' }));
    await user.click(await screen.findByRole('link', { name: 'Prompts' }));
    expect(await screen.findByLabelText('Prompt', { selector: 'textarea' })).toHaveValue('Half a sentence');
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(screen.getByLabelText('Prompt', { selector: 'textarea' })).toHaveValue(DELIVERED);
  });

  it('keeps its text through a reload, until its author logs out', async () => {
    const { write, unmount } = await opened();
    await write('Half a sentence');
    unmount();
    const { user, editor } = await opened();
    expect(editor).toHaveValue('Half a sentence');
    expect(screen.getByText('Not saved yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  it('saved meanwhile by another admin is compared, and can be overridden', async () => {
    const { user, write, editor } = await opened();
    await write('Mine.');
    kept = { ...kept, content: 'Theirs.', name: 'Renamed', is_active: false, version: 2 };
    await user.click(saveButton());
    expect(await screen.findByText('Version 2 was saved while you were editing version 1')).toBeVisible();
    expect(editor).toHaveValue('Mine.');
    await user.click(screen.getByRole('button', { name: 'Compare with version 2' }));
    const diff = screen.getByRole('region', { name: 'Difference between version 2 and your text' });
    expect(within(diff).getByText('Theirs', { selector: 'del' })).toBeVisible();
    expect(within(diff).getByText('Mine', { selector: 'ins' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    await user.click(saveButton());
    expect(await screen.findByText('Version 3')).toBeVisible();
    // The unchanged part is as the other admin has saved it.
    expect(bodyOf(SAVE)).toMatchObject({ content: 'Mine.', name: 'Renamed', is_active: false, version: 2 });
  });

  it('saved meanwhile by another admin replaces a discarded draft', async () => {
    const { user, write, editor } = await opened();
    await write('Mine.');
    kept = { ...kept, content: 'Theirs.', version: 2 };
    await user.click(saveButton());
    await user.click(await screen.findByRole('button', { name: 'Discard my changes' }));
    expect(editor).toHaveValue('Theirs.');
    expect(screen.queryByText(/was saved while/)).toBeNull();
  });
});

describe('the history of a prompt', () => {
  it('has its events, too, once it was saved', async () => {
    kept = prompt('seo_analysis', { updated_at: '2026-03-10T12:00:00.000Z', version: 2 });
    const { user } = await opened();
    expect(screen.getByRole('link', { name: 'Event history' })).toHaveAttribute(
      'href',
      '/admin/history?stream=prompt-seo_analysis',
    );
    await user.click(screen.getByRole('link', { name: BUILT_IN_PROMPTS.summary.name }));
    await screen.findByRole('heading', { name: new RegExp(BUILT_IN_PROMPTS.summary.name), level: 2 });
    expect(screen.queryByRole('link', { name: 'Event history' })).toBeNull();
  });

  const REVERT = 'POST /api/v1/admin/prompts/seo_analysis/revert/seo_analysis%401';
  beforeEach(() => {
    kept = { ...kept, content: 'Newest text.', version: 3, updated_at: '2026-03-11T12:00:00.000Z' };
    server.on(HISTORY, ({ query }: { query: URLSearchParams }) =>
      query.has('cursor')
        ? { success: true, history: [version(1, DELIVERED, 'Default')], cursor: null }
        : {
            success: true,
            history: [version(3, 'Newest text.', 'Shorter'), version(2, 'Older text.', 'Edited by eve@example.com')],
            cursor: 'more',
          },
    );
    server.on(REVERT, () => {
      kept = { ...kept, content: DELIVERED, version: 4 };
      return { success: true, prompt: kept };
    });
  });

  it('shows the beginning of each version, and its differences from the current one', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'History' }));
    const newest = await screen.findByRole('article', { name: 'Version 3' });
    expect(within(newest).getByText('Current')).toBeVisible();
    expect(within(newest).queryByRole('button')).toBeNull();
    expect(screen.getByText(/Edited by eve@example.com/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show earlier versions' }));
    const delivered = await screen.findByRole('article', { name: 'Version 1' });
    expect(within(delivered).getByText(`${DELIVERED.slice(0, 300)}…`, { normalizer: (text) => text })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Compare version 2 with the current one' }));
    const diff = screen.getByRole('region', { name: 'Difference between version 2 and version 3' });
    expect(diff).toHaveTextContent('OlderNewest text.');
  });

  it('restores a version, after a confirmation', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'History' }));
    await user.click(await screen.findByRole('button', { name: 'Show earlier versions' }));
    await user.click(await screen.findByRole('button', { name: 'Revert to version 1' }));
    const question = await screen.findByRole('alertdialog');
    expect(question).toHaveTextContent('The text of version 1 becomes version 4');
    await user.click(within(question).getByRole('button', { name: 'Revert to version 1' }));
    expect(await screen.findByText('Reverted to previous version')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('Prompt', { selector: 'textarea' })).toHaveValue(DELIVERED));
    expect(screen.getByText('Version 4')).toBeVisible();
  });

  it('asks again before reverting past a version that was saved meanwhile', async () => {
    server.on(REVERT, ({ query }: { query: URLSearchParams }) => {
      if (query.get('version') !== String(kept.version))
        return refusal(409, `Version ${kept.version} was saved meanwhile.`, 'PROMPT_CHANGED');
      kept = { ...kept, content: DELIVERED, version: kept.version + 1 };
      return { success: true, prompt: kept };
    });
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'History' }));
    await user.click(await screen.findByRole('button', { name: 'Show earlier versions' }));
    await user.click(await screen.findByRole('button', { name: 'Revert to version 1' }));
    kept = { ...kept, content: 'Theirs.', version: 4 };
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revert to version 1' }),
    );
    expect(await screen.findByText('Version 4 was saved meanwhile.')).toBeVisible();
    const question = screen.getByRole('alertdialog');
    await waitFor(() => expect(question).toHaveTextContent('The text of version 1 becomes version 5'));
    await user.click(within(question).getByRole('button', { name: 'Revert to version 1' }));
    expect(await screen.findByText('Reverted to previous version')).toBeVisible();
    expect(screen.getByText('Version 5')).toBeVisible();
  });

  it('explains an error', async () => {
    server.on(REVERT, refusal(503, 'away'));
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'History' }));
    await user.click(await screen.findByRole('button', { name: 'Show earlier versions' }));
    await user.click(await screen.findByRole('button', { name: 'Revert to version 1' }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revert to version 1' }),
    );
    await warned('Failed to revert to version');
    server.on(HISTORY, refusal(503, 'away'));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(await screen.findByRole('button', { name: 'History' }));
    await warned('Failed to load history');
  });
});

describe('the preview of a prompt', () => {
  const PREVIEW = 'POST /api/v1/admin/prompts/seo_analysis/preview';
  const JOB = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';

  it('is shown for the job of an address, with the editor’s text', async () => {
    server.on(PREVIEW, {
      success: true,
      preview: {
        job_id: JOB,
        host: 'www.shop.example',
        system: 'Rules and Mine.',
        data: 'DATA 0',
        tokens: 1234,
        model: null,
      },
    });
    const { user, write } = await opened();
    await write('Mine.');
    await enter(user, screen.getByLabelText('Job'), `https://seo.example.com/dashboard/jobs/${JOB}?tab=report`);
    await user.click(screen.getByRole('button', { name: 'Show what is sent' }));
    expect(await screen.findByText('Rules and Mine.')).toBeVisible();
    expect(screen.getByText(/About shop.example, roughly 1,234 tokens./)).toBeVisible();
    expect(screen.getByText('No language model is configured: the built-in analyst writes all texts.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Ask the model' })).toBeNull();
    expect(bodyOf(PREVIEW)).toEqual({ jobId: JOB, content: 'Mine.' });
    await write('Mine, changed.');
    expect(screen.getByText(/The text has changed since./)).toBeVisible();
  });

  it('is sent to a model on request: its answer, its cost, and whether a report would use it', async () => {
    const TRIAL = 'POST /api/v1/admin/prompts/seo_analysis/trial';
    const answer = {
      model: 'model-x',
      text: '{"a":1}',
      refused: null,
      dropped: 0,
      input_tokens: 9000,
      output_tokens: 120,
      cost_micros: 28_800,
      ms: 2140,
    };
    const trial = (over: object, answered: object | null = {}) => ({
      success: true,
      trial: {
        job_id: JOB,
        key: 'seo_analysis',
        ask: 1,
        status: 'answered',
        asked_at: '2026-03-10T12:00:00.000Z',
        failure: null,
        ...over,
        answer: answered && { ...answer, ...answered },
      },
    });
    server.on(PREVIEW, {
      success: true,
      preview: { job_id: JOB, host: 'shop.example', system: 'Rules.', data: 'DATA 0', tokens: 1234, model: 'model-x' },
    });
    server.on(TRIAL, trial({ status: 'pending' }, null));
    server.on(`GET /api/v1/admin/prompts/trials/${JOB}`, trial({}));
    const { user } = await opened();
    await enter(user, screen.getByLabelText('Job'), JOB);
    await user.click(screen.getByRole('button', { name: 'Show what is sent' }));
    await user.click(await screen.findByRole('button', { name: 'Ask the model' }));
    expect(await screen.findByText('Waiting for the answer…')).toBeVisible();
    expect(await screen.findByText('A report would use this answer', undefined, { timeout: 5_000 })).toBeVisible();
    expect(screen.getByText('model-x answered in 2.1 s: 9,000 tokens in, 120 out, $0.0288.')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent('{ "a": 1 }');
    expect(bodyOf(TRIAL)).toEqual({ jobId: JOB, content: DELIVERED });

    const again = () => user.click(screen.getByRole('button', { name: 'Ask the model' }));
    server.on(TRIAL, trial({}, { dropped: 2, cost_micros: null }));
    await again();
    expect(await screen.findByText('2 parts would be left out, because nothing found backs them.')).toBeVisible();
    expect(screen.getByText(/120 out, price not configured\./)).toBeVisible();
    server.on(
      TRIAL,
      trial(
        {},
        {
          refused: 'The language model did not answer in time.',
          text: null,
          input_tokens: null,
          output_tokens: null,
          cost_micros: null,
        },
      ),
    );
    await again();
    await warned('A report would not use this answer');
    expect(screen.queryByRole('region', { name: 'Answer' })).toBeNull();
    server.on(
      TRIAL,
      trial(
        { status: 'failed', failure: { code: 'GIVEN_UP', reason: 'This was not begun in time. Please try again.' } },
        null,
      ),
    );
    await again();
    await warned('This was not begun in time. Please try again.');
    server.on(
      TRIAL,
      refusal(
        409,
        'The model is being asked about this job already. Please wait for its answer.',
        'PROMPT_TRIAL_PENDING',
      ),
    );
    await again();
    await warned('The model is being asked about this job already. Please wait for its answer.');
  });

  it('requires a job, and says when there is none', async () => {
    server.on(PREVIEW, refusal(404, 'Job not found', 'JOB_NOT_FOUND'));
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Show what is sent' }));
    expect(screen.getByText('Please paste the URL of a job’s page, or its ID')).toBeVisible();
    await enter(user, screen.getByLabelText('Job'), JOB);
    await user.click(screen.getByRole('button', { name: 'Show what is sent' }));
    expect(await screen.findByText('Job not found')).toBeVisible();
  });
});

describe('a prompt that somebody else saves', () => {
  const theySave = (content: string): void => {
    kept = { ...kept, content, version: kept.version + 1 };
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'admin:changes',
        table: 'changes',
        eventType: 'UPDATE',
        new: { changed: ['prompts'] },
        old: null,
        position: position(11),
      }),
    );
  };
  const live = async (): Promise<void> => {
    await goLive(sockets.latest());
    await waitFor(() => expect(sockets.latest().sent).toContainEqual({ type: 'subscribe', channel: 'admin:changes' }));
  };

  it('is shown at once', async () => {
    const { editor } = await opened();
    await live();
    theySave('Theirs.');
    await waitFor(() => expect(editor).toHaveValue('Theirs.'));
    expect(screen.getByText('Version 2')).toBeVisible();
  });

  it('is reported to a user who is writing, and does not replace their text', async () => {
    const { editor, write } = await opened();
    await live();
    await write('Mine.');
    theySave('Theirs.');
    expect(await screen.findByText('Version 2 was saved while you were editing version 1')).toBeVisible();
    expect(editor).toHaveValue('Mine.');
  });
});
