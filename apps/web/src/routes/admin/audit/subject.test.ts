import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { subjectOf } from './subject.ts';

const about = (action: string, kind: string | null, id: string | null, data = {}) =>
  subjectOf({ action, actor_id: 'me', subject_kind: kind, subject_id: id, data });

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
    assert.equal(about('rate.accepted', 'rate', 'EUR')?.href, '/admin/rates');
    assert.deepEqual(about('task.run', 'task', 'rates-sync'), {
      name: 'rates-sync',
      href: '/admin/tasks',
    });
    assert.equal(about('users.disabled', 'user', 'you')?.href, '/admin/users/you');
  });

  it('is not told where it is the one who did it, or nothing', () => {
    assert.equal(about('auth.signup', 'user', 'me'), null);
    assert.equal(about('auth.signin', null, null), null);
  });

  it('has no page where the name of the page is not known', () => {
    assert.deepEqual(about('pair.updated', 'pair', '7'), { name: null, href: null });
    assert.deepEqual(about('settings.written', 'settings', 'seo'), { name: 'seo', href: null });
  });
});
