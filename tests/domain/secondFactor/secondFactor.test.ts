import { describe, expect, it } from 'vitest';
import type { SecondFactorEvent } from '../../../src/domain/secondFactor/events.ts';
import { type SecondFactorCommand, secondFactorDecider } from '../../../src/domain/secondFactor/secondFactor.ts';
import { redacted } from '../../../src/domain/stored/redaction.ts';
import { specOf } from '../../given/decider.ts';

const at = '2026-03-01T10:00:00.000Z';
const userId = 'user-1';
const given = specOf(secondFactorDecider);

const begun = (enrolmentId = 'e1'): SecondFactorEvent => ({
  type: 'SecondFactorEnrolmentBegun',
  data: { userId, enrolmentId, sealedSecret: `sealed ${enrolmentId}`, begunAt: at },
});
const enabled = (enrolmentId = 'e1'): SecondFactorEvent => ({
  type: 'SecondFactorEnabled',
  data: { userId, enrolmentId, step: 100, recoveryCodeHashes: ['h1', 'h2'], enabledAt: at },
});
const passed = (step: number): SecondFactorEvent => ({
  type: 'SecondFactorPassed',
  data: { userId, step, passedAt: at },
});
const used = (codeHash: string): SecondFactorEvent => ({
  type: 'RecoveryCodeUsed',
  data: { userId, codeHash, usedAt: at },
});
const removed = (reason: 'owner' | 'operator' | 'account_deleted'): SecondFactorEvent => ({
  type: 'SecondFactorRemoved',
  data: { userId, reason, removedAt: at },
});

const begin = (enrolmentId = 'e1'): SecondFactorCommand => ({
  type: 'BeginEnrolment',
  userId,
  enrolmentId,
  sealedSecret: `sealed ${enrolmentId}`,
  at,
});
const confirm = (enrolmentId = 'e1'): SecondFactorCommand => ({
  type: 'ConfirmEnrolment',
  userId,
  enrolmentId,
  step: 100,
  recoveryCodeHashes: ['h1', 'h2'],
  at,
});
const pass = (step: number, enrolmentId = 'e1'): SecondFactorCommand => ({
  type: 'PassCode',
  userId,
  enrolmentId,
  step,
  at,
});
const recover = (codeHash: string): SecondFactorCommand => ({ type: 'UseRecoveryCode', userId, codeHash, at });
const remove = (reason: 'owner' | 'operator' | 'account_deleted'): SecondFactorCommand => ({
  type: 'RemoveSecondFactor',
  userId,
  reason,
  at,
});

describe('a second factor', () => {
  it('is on once a first code has confirmed it', () => {
    given().when(begin()).then(begun());
    given(begun()).when(confirm()).then(enabled());
    given(begun()).when(pass(101)).thenRefused('MFA_CODE_INVALID');
  });
  it('can be set up again until it is confirmed; the last setup counts', () => {
    given(begun()).when(begin('e2')).then(begun('e2'));
    given(begun(), begun('e2')).when(confirm('e1')).thenRefused('MFA_SETUP_ENDED');
    given().when(confirm()).thenRefused('MFA_SETUP_ENDED');
  });
  it('cannot be set up while it is on', () =>
    given(begun(), enabled()).when(begin('e2')).thenRefused('MFA_ALREADY_ON'));
  it('accepts each code once, and none from before the last one', () => {
    given(begun(), enabled()).when(pass(101)).then(passed(101));
    given(begun(), enabled()).when(pass(100)).thenRefused('MFA_CODE_USED');
    given(begun(), enabled(), passed(101)).when(pass(101)).thenRefused('MFA_CODE_USED');
    given(begun(), enabled(), passed(101)).when(pass(100)).thenRefused('MFA_CODE_USED');
  });
  it('accepts no code of an earlier secret', () =>
    given(begun(), enabled(), removed('owner'), begun('e2'), enabled('e2'))
      .when(pass(200, 'e1'))
      .thenRefused('MFA_CODE_INVALID'));
  it('accepts each recovery code once', () => {
    given(begun(), enabled()).when(recover('h1')).then(used('h1'));
    given(begun(), enabled(), used('h1')).when(recover('h1')).thenRefused('MFA_CODE_INVALID');
    given(begun(), enabled()).when(recover('h3')).thenRefused('MFA_CODE_INVALID');
    given().when(recover('h1')).thenRefused('MFA_CODE_INVALID');
  });
  it('is removed by its owner or an operator, once, confirmed or not', () => {
    given(begun(), enabled()).when(remove('operator')).then(removed('operator'));
    given(begun()).when(remove('owner')).then(removed('owner'));
    given(begun(), enabled(), removed('owner')).when(remove('owner')).thenNothing();
    given().when(remove('operator')).thenNothing();
    given(begun(), enabled(), removed('owner')).when(recover('h1')).thenRefused('MFA_CODE_INVALID');
  });
  it('ends with the account', () => {
    given(removed('owner')).when(remove('account_deleted')).then(removed('account_deleted'));
    given(removed('account_deleted')).when(remove('account_deleted')).thenNothing();
    given(removed('account_deleted')).when(begin()).thenRefused('ACCOUNT_NOT_FOUND');
  });
  it('shows no secret in its events', () => {
    for (const { type, data } of [begun(), enabled(), used('h1')])
      expect(JSON.stringify(redacted(type, data))).not.toMatch(/sealed e1|h1/);
  });
});
