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

describe('a closed site', () => {
  const forms = [
    '/(auth)/signup',
    '/(site)/contact',
    '/(site)/feature-report',
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

  it('answers its own page as any other, but to itself', () => {
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

  it('leaves every way open by which somebody comes to open it, and what letters promise', () => {
    assert.deepEqual(
      open.filter((id) => closed(id)),
      [],
    );
  });

  it('lets what was typed on an open page come to its form, which says that it was not taken', () => {
    const post = { method: 'POST' };
    assert.deepEqual(
      shut.filter((id) => !closed(id, null, post)),
      forms,
    );
  });

  it('is open to admins, and to all when it is not closed', () => {
    assert.deepEqual(
      shut.filter((id) => closed(id, 'admin') || closed(id, null, { enabled: false })),
      [],
    );
  });
});
