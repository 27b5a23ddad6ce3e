import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEQUENCE_LIMITS } from '../../src/model/sequences.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

const BASE = '/api/v1/admin/email-sequences';
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signUp();
  await app.given(`account-${admin.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: admin.userId, reason: 'configured' },
  });
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: object) => admin.call(method, `${BASE}${path}`, body);
const texts = { name: 'Getting started', subject: 'Hi {{user_name}}', content: 'Welcome to {{company_name}}' };
const make = async () =>
  (await call('POST', '/sequences', { name: 'Welcome', trigger: 'sign_up' })).body.sequence.id as string;

describe('email sequences', () => {
  it('are created, listed page by page, edited, enabled and deleted', async () => {
    const made = await call('POST', '/sequences', {
      name: '  Welcome ',
      description: 'For new users',
      trigger: 'sign_up',
    });
    expect(made.status).toBe(201);
    const { success, sequence, ...fields } = made.body;
    expect(success).toBe(true);
    // The same in both lists.
    expect(fields).toEqual(sequence);
    expect(sequence).toMatchObject({
      name: 'Welcome',
      description: 'For new users',
      trigger: 'sign_up',
      is_active: false,
      activated_at: null,
      templates: [],
    });
    app.advance(1_000);
    await make();
    const first = await call('GET', '/sequences?limit=1');
    expect(first.body.sequences).toMatchObject([{ id: sequence.id, template_count: 0 }]);
    expect(
      (await call('GET', `/sequences?limit=1&cursor=${encodeURIComponent(first.body.cursor)}`)).body.sequences,
    ).toHaveLength(1);
    expect((await call('PUT', `/sequences/${sequence.id}`, { is_active: true })).body).toMatchObject({
      code: 'SEQUENCE_EMPTY',
    });
    await call('POST', `/sequences/${sequence.id}/templates`, texts);
    const on = await call('PUT', `/sequences/${sequence.id}`, { is_active: true, name: 'Hello' });
    expect(on.body.sequence).toMatchObject({ is_active: true, name: 'Hello', activated_at: expect.any(String) });
    expect(await call('PUT', `/sequences/${sequence.id}`, { trigger: 'first_analysis' })).toMatchObject({
      status: 409,
      body: { code: 'SEQUENCE_ACTIVE' },
    });
    expect((await call('DELETE', `/sequences/${sequence.id}`)).body).toEqual({
      success: true,
      message: 'Sequence deleted',
    });
    expect(await call('GET', `/sequences/${sequence.id}`)).toMatchObject({
      status: 404,
      body: { code: 'SEQUENCE_NOT_FOUND' },
    });
  });

  it('are listed with their templates, in step order, on shorter pages if these are long', async () => {
    const known = (await call('GET', '/sequences?limit=100')).body.sequences.map(({ id }: { id: string }) => id);
    app.advance(1_000);
    const long = await make();
    app.advance(1_000);
    const short = await make();
    const content = 'x'.repeat(SEQUENCE_LIMITS.content);
    const most = 1_000_000 / SEQUENCE_LIMITS.content;
    for (let nth = 0; nth < most; nth += 1)
      await call('POST', `/sequences/${long}/templates`, { ...texts, content, delay_days: nth });
    const made = (await call('POST', `/sequences/${short}/templates`, texts)).body.template;
    const pages: { id: string; template_count: number; templates: { step_number: number; content: string }[] }[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `/sequences?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      pages.push(body.sequences);
      cursor = body.cursor;
    }
    const rows = pages.flat();
    expect(rows.map(({ id }) => id)).toEqual([...known, long, short]);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages)
      expect(
        JSON.stringify(page.flatMap(({ templates }) => templates.map((each) => each.content))).length,
      ).toBeLessThan(1_000_200);
    expect(rows.at(-2)?.templates.map(({ step_number }) => step_number)).toEqual(
      Array.from({ length: most }, (_, nth) => nth + 1),
    );
    expect(rows.at(-1)).toMatchObject({ template_count: 1, templates: [made] });
  });

  it('have figures by step', async () => {
    const sequenceId = await make();
    const templateId = (await call('POST', `/sequences/${sequenceId}/templates`, texts)).body.template.id as string;
    const of = (userId: string) => ({ userId, sequenceId, enrolmentId: `${userId} ${sequenceId}` });
    const step = (userId: string) => ({
      ...of(userId),
      mailId: `mail ${userId} ${sequenceId}`,
      templateId,
      stepNumber: 1,
    });
    const at = '2026-03-10T12:00:00.000Z';
    for (const userId of ['figures-a', 'figures-b', 'figures-c']) {
      await app.given(
        `delivery-${userId}`,
        { type: 'SequenceEnrolled', data: { ...of(userId), trigger: 'sign_up', triggeredAt: at, enrolledAt: at } },
        { type: 'SequenceMailScheduled', data: { ...step(userId), dueAt: at, scheduledAt: at } },
      );
    }
    // The email was being sent when it was turned off.
    await app.given('delivery-figures-a', {
      type: 'SequenceStopped',
      data: {
        ...of('figures-a'),
        reason: 'turned_off',
        mailId: step('figures-a').mailId,
        stepNumber: 0,
        stoppedAt: at,
      },
    });
    await app.given('delivery-figures-a', { type: 'SequenceMailSent', data: { ...step('figures-a'), sentAt: at } });
    await app.given('delivery-figures-b', {
      type: 'SequenceMailFailed',
      data: { ...step('figures-b'), reason: 'too_old', failedAt: at },
    });
    const figures = await call('GET', `/sequences/${sequenceId}/figures`);
    expect(figures.body).toMatchObject({ enrolled: 3, under_way: 2, finished: 0, stopped: 1, turned_off: 1 });
    const counts = { waiting: 1, sent: 1, failed: 1, skipped: 0, stopped: 0, turned_off: 1 };
    expect(figures.body.steps).toEqual([
      { template_id: templateId, step_number: 1, name: 'Getting started', ...counts },
    ]);
    expect(figures.body.total).toEqual(counts);
    await call('DELETE', `/templates/${templateId}`);
    await call('POST', `/sequences/${sequenceId}/templates`, { ...texts, name: 'Hello again' });
    expect((await call('GET', `/sequences/${sequenceId}/figures`)).body).toMatchObject({
      steps: [
        { step_number: 1, name: 'Hello again', sent: 0 },
        { template_id: templateId, step_number: null, name: 'Getting started', ...counts },
      ],
      total: counts,
    });
    await app.given('delivery-figures-a', {
      type: 'SequenceMailsClosed',
      data: {
        userId: 'figures-a',
        enrolmentIds: [of('figures-a').enrolmentId],
        mailIds: [step('figures-a').mailId],
        closedAt: at,
      },
    });
    expect((await call('GET', `/sequences/${sequenceId}/figures`)).body).toMatchObject({ enrolled: 2, turned_off: 0 });
  });

  it('are for admins only', async () => {
    const user = await app.signUp();
    expect(await user.call('GET', `${BASE}/sequences`)).toMatchObject({
      status: 403,
      body: { error: 'Access denied. Admin privileges required.' },
    });
  });
});

describe('email templates', () => {
  it('are added, read, changed and deleted', async () => {
    const id = await make();
    const added = await call('POST', `/sequences/${id}/templates`, texts);
    expect(added.status).toBe(201);
    expect(added.body.template).toMatchObject({
      ...texts,
      sequence_id: id,
      step_number: 1,
      delay_days: 0,
      is_active: true,
    });
    const templateId = added.body.template.id;
    expect(
      (await call('POST', `/sequences/${id}/templates`, { ...texts, step_number: 5, delay_days: 3, is_active: false }))
        .body.template,
    ).toMatchObject({
      step_number: 5,
      delay_days: 3,
      is_active: false,
    });
    expect((await call('POST', `/sequences/${id}/templates`, texts)).body.template.step_number).toBe(6);
    expect(await call('POST', `/sequences/${id}/templates`, { ...texts, step_number: 5 })).toMatchObject({
      status: 409,
      body: { code: 'STEP_TAKEN' },
    });
    expect(await call('PUT', `/templates/${templateId}`, { step_number: 6 })).toMatchObject({
      status: 409,
      body: { code: 'STEP_TAKEN' },
    });
    expect(
      (await call('PUT', `/templates/${templateId}`, { subject: 'New', step_number: 2 })).body.template,
    ).toMatchObject({ subject: 'New', step_number: 2 });
    expect((await call('GET', `/templates/${templateId}`)).body.template).toMatchObject({
      subject: 'New',
      content: texts.content,
    });
    expect(
      (await call('GET', `/sequences/${id}`)).body.templates.map((each: { step_number: number }) => each.step_number),
    ).toEqual([2, 5, 6]);
    expect((await call('DELETE', `/templates/${templateId}`)).body).toEqual({
      success: true,
      message: 'Template deleted',
    });
    expect(await call('GET', `/templates/${templateId}`)).toMatchObject({
      status: 404,
      body: { code: 'TEMPLATE_NOT_FOUND' },
    });
    expect(await call('DELETE', `/templates/${templateId}`)).toMatchObject({ status: 404 });
    expect((await call('GET', `/sequences/${id}`)).body.templates).toHaveLength(2);
  });

  it('are not saved over a change by another admin', async () => {
    const id = await make();
    const { id: templateId, version } = (await call('POST', `/sequences/${id}/templates`, texts)).body.template;
    expect(version).toBe(1);
    expect((await call('PUT', `/templates/${templateId}`, { subject: 'Theirs', version })).body.template).toMatchObject(
      { subject: 'Theirs', version: 2 },
    );
    const late = await call('PUT', `/templates/${templateId}`, { subject: 'Mine', version });
    expect(late).toMatchObject({
      status: 409,
      body: {
        code: 'TEMPLATE_CHANGED',
        error: 'Version 2 was saved while you were editing version 1. Compare the two before you save yours.',
      },
    });
    expect((await call('GET', `/templates/${templateId}`)).body.template).toMatchObject({
      subject: 'Theirs',
      version: 2,
    });
    expect(
      (await call('PUT', `/templates/${templateId}`, { subject: 'Mine', version: 2 })).body.template,
    ).toMatchObject({ subject: 'Mine', version: 3 });
    // Without a version, whichever is the newest is changed.
    expect((await call('PUT', `/templates/${templateId}`, { subject: 'Third' })).body.template).toMatchObject({
      subject: 'Third',
      version: 4,
    });
    expect((await call('PUT', `/templates/${templateId}`, { version: 0 })).status).toBe(400);
  });

  it('are refused with the position of the error', async () => {
    const id = await make();
    const refused = await call('POST', `/sequences/${id}/templates`, { ...texts, content: 'Hi\n{{ nobody }}' });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'TEMPLATE_INVALID', error: 'Content, line 2: There is no placeholder {{nobody}}.' },
    });
    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(SEQUENCE_LIMITS.name + 1) },
      { subject: 'two\nlines' },
      { subject: 'x'.repeat(SEQUENCE_LIMITS.subject + 1) },
      { content: '' },
      { content: 'x'.repeat(SEQUENCE_LIMITS.content + 1) },
      { step_number: 0 },
      { step_number: 1.5 },
      { delay_days: -1 },
      { is_active: 'yes' },
    ]) {
      expect([wrong, (await call('POST', `/sequences/${id}/templates`, { ...texts, ...wrong })).status]).toEqual([
        wrong,
        400,
      ]);
    }
    expect((await call('POST', '/sequences/nowhere/templates', texts)).status).toBe(404);
  });

  it('are previewed for a sample user, with any error', async () => {
    const shown = await call('POST', '/templates/preview', {
      subject: 'Hi {{user_name}}',
      content: '**Welcome** to {{company_name}}',
    });
    expect(shown.body).toMatchObject({
      faults: [],
      preview: { subject: 'Hi Alex Morgan', text: expect.stringContaining('Welcome to Example') },
    });
    expect(shown.body.preview.html).toContain('<strong>Welcome</strong>');
    expect((await call('POST', '/templates/preview', { subject: '{{x}}', content: '' })).body).toMatchObject({
      preview: null,
      faults: [{ field: 'subject', line: 1, message: 'There is no placeholder {{x}}.' }],
    });
  });

  it('are sent to the admin who asks, whose address must be confirmed', async () => {
    const id = await make();
    const templateId = (await call('POST', `/sequences/${id}/templates`, texts)).body.template.id;
    await app.given(`account-${admin.userId}`, {
      type: 'AccountEmailConfirmationAsked',
      data: { userId: admin.userId, requestId: 'r', email: admin.email, askedAt: '2026-03-10T12:00:00.000Z' },
    });
    expect(await call('POST', `/templates/${templateId}/test`)).toMatchObject({
      status: 403,
      body: { code: 'EMAIL_NOT_CONFIRMED' },
    });
    await app.given(`account-${admin.userId}`, {
      type: 'AccountEmailConfirmed',
      data: { userId: admin.userId, email: admin.email, confirmedAt: '2026-03-10T12:00:00.000Z' },
    });
    expect(await call('POST', `/templates/${templateId}/test`)).toMatchObject({
      status: 202,
      body: { success: true, sent_to: admin.email },
    });
    expect((await app.newEvents()).map(({ type }) => type)).toContain('SequenceTestAsked');
  });
});
