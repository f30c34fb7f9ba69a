import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isClosed } from './maintenance.ts';

type Asked = Parameters<typeof isClosed>[0];

function closed(
  id: string | null,
  role: 'admin' | 'user' | null = null,
  { enabled = true, method = 'GET', isSubRequest = false } = {},
): boolean {
  const maintenance = { enabled, message: '', retry_minutes: 30 };
  const wide = { css: '', robots: null, maintenance };
  const locals = { wide, user: role && { role } };
  return isClosed({ route: { id }, locals, request: { method }, isSubRequest } as Asked);
}

describe('a site in maintenance', () => {
  const forms = [
    '/(auth)/signup',
    '/(site)/contact',
    '/(site)/feature-report',
    '/(site)/reserve-alert',
    '/(site)/subscribe',
  ];
  const shut = [
    '/(site)',
    '/(site)/blog/[slug]',
    '/(account)/preview',
    '/(account)/account',
    '/sitemap.xml',
    null,
    ...forms,
  ];
  const open = [
    '/admin',
    '/admin/settings/[slug]',
    '/(auth)/signin',
    '/(auth)/two-factor',
    '/(auth)/forgot-password',
    '/(auth)/reset-password',
    '/(email-link)/unsubscribe/[token]',
    '/(account)/exchanges',
    '/(account)/exchanges/[number]',
    '/(site)/signout',
    '/media/[name]',
    '/robots.txt',
  ];

  it('answers its own page only to itself', () => {
    assert.equal(closed('/maintenance'), true);
    assert.equal(closed('/maintenance', 'admin'), false);
    assert.equal(closed('/maintenance', null, { isSubRequest: true }), false);
  });

  it('is closed to guests and customers', () => {
    assert.deepEqual(
      shut.filter((id) => !closed(id)),
      [],
    );
    assert.deepEqual(
      shut.filter((id) => !closed(id, 'user')),
      [],
    );
  });

  it('keeps sign-in, the console and emailed links open', () => {
    assert.deepEqual(
      open.filter((id) => closed(id)),
      [],
    );
  });

  it('lets forms through that were opened before, which then say that nothing was saved', () => {
    const post = { method: 'POST' };
    assert.deepEqual(
      shut.filter((id) => !closed(id, null, post)),
      forms,
    );
  });

  it('is open to admins, and to everyone without maintenance', () => {
    assert.deepEqual(
      shut.filter((id) => closed(id, 'admin') || closed(id, null, { enabled: false })),
      [],
    );
  });
});
