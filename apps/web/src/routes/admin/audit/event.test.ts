import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesOf, personOf, restOf, subjectOf } from './event.ts';

const mira = { subject_name: 'Mira Lind', subject_email: 'mira@example.com' };
const nobody = { subject_name: null, subject_email: null };
const about = (
  action: string,
  kind: string | null,
  id: string | null,
  data = {},
  who: typeof mira | typeof nobody = nobody,
) => subjectOf({ action, actor_id: 'me', subject_kind: kind, subject_id: id, data, ...who });

describe('the subject of an event', () => {
  it('leads to the page that shows it', () => {
    assert.deepEqual(about('exchange.approve', 'exchange', 'CX-1'), {
      name: 'CX-1',
      href: '/admin/exchanges/CX-1?queue=all',
    });
    assert.deepEqual(about('reserve.adjusted', 'currency', '7', { currency: 'eur' }), {
      name: 'eur',
      href: '/admin/reserves/eur',
    });
    assert.equal(
      about('pair.updated', 'pair', '7', { slug: 'a-to-b' })?.href,
      '/admin/pairs/a-to-b',
    );
    assert.deepEqual(about('blog.published', 'post', '7', { title: 'A post', slug: 'a' }), {
      name: 'A post',
      href: '/admin/blog/7',
    });
    assert.equal(about('blog.deleted', 'post', '7', { title: 'A post' })?.href, null);
    assert.equal(about('rate.accepted', 'rate', 'EUR')?.href, '/admin/rates');
    assert.deepEqual(about('task.run', 'task', 'rates-sync'), {
      name: 'rates-sync',
      href: '/admin/tasks',
    });
    assert.deepEqual(about('users.disabled', 'user', 'you', {}, mira), {
      name: 'Mira Lind (mira@example.com)',
      href: '/admin/users/you',
    });
  });

  it('has a name and no page once it is deleted', () => {
    const data = { reference: 'MSG-000007' };
    assert.deepEqual(about('contact.answered', 'contact_submission', '7', data), {
      name: 'MSG-000007',
      href: '/admin/messages/7',
    });
    assert.deepEqual(about('contact.deleted', 'contact_submission', '7', data), {
      name: 'MSG-000007',
      href: null,
    });
    assert.equal(
      about('feature_report.updated', 'feature_report', '7', { title: 'Dark' })?.href,
      '/admin/feature-reports',
    );
    assert.equal(about('media.added', 'media', '7', { name: 'Quay' })?.name, 'Quay');
  });

  it('is not told where it is the one who did it, or nothing', () => {
    assert.equal(about('auth.signup', 'user', 'me'), null);
    assert.equal(about('auth.signin', null, null), null);
  });

  it('of an account that is gone has neither name nor page', () => {
    assert.equal(personOf(nobody), null);
    assert.deepEqual(about('users.disabled', 'user', 'you'), { name: null, href: null });
  });

  it('has the history of settings, where each field is told', () => {
    const href = '/admin/settings/seo/history';
    assert.deepEqual(about('settings.written', 'settings', 'seo'), { name: 'seo', href });
  });

  it('has no page where the name of the page is not known', () => {
    assert.deepEqual(about('pair.updated', 'pair', '7'), { name: null, href: null });
  });
});

describe('the changes of an event', () => {
  const data = {
    slug: 'usd-to-eur',
    changes: {
      margin_percent: { before: '1', after: '-2' },
      tiers: { before: [], after: [{ from: '500.00', margin_percent: '0.5' }] },
      send_fee: { before: { fixed: '0', min: null }, after: { fixed: '1', min: '2' } },
      active: { before: true, after: false },
      formula: { before: 'usd/eur', after: null },
    },
  };

  it('are told field by field, before and after', () => {
    assert.deepEqual(changesOf({ data }), [
      { field: 'margin_percent', before: '1', after: '-2' },
      { field: 'tiers', before: null, after: 'from: 500.00, margin percent: 0.5' },
      { field: 'send_fee', before: 'fixed: 0', after: 'fixed: 1, min: 2' },
      { field: 'active', before: 'true', after: 'false' },
      { field: 'formula', before: 'usd/eur', after: null },
    ]);
    assert.deepEqual(restOf({ data }), { slug: 'usd-to-eur' });
  });

  it('are none where an event keeps no two sides', () => {
    for (const other of [{}, { changes: ['a'] }, { changed: ['x'] }, { changes: { a: 1 } }]) {
      assert.deepEqual(changesOf({ data: other }), []);
      assert.deepEqual(restOf({ data: other }), other);
    }
  });
});
