import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/stand-in.ts';

standInMessages();
const { askedToRestore, askedToSave, mayAskToRestore } = await import('./asked.ts');

const general = (enabled: boolean) => ({ site_name: 'Desk', maintenance: { enabled } });

describe('saving', () => {
  const titleOf = (draft: object, began: object) =>
    askedToSave('general', draft, began)?.title ?? null;

  it('asks where it closes or hides the site, and not where it leaves it as it is', () => {
    assert.equal(titleOf(general(true), general(false)), 'settings_close_title');
    assert.equal(titleOf(general(true), general(true)), null);
    assert.equal(titleOf(general(false), general(true)), null);
    const hidden = askedToSave('sitemap-robots', { noindex: true }, { noindex: false });
    assert.equal(hidden?.title, 'settings_noindex_title');
    assert.equal(askedToSave('seo', { title: 'Of another group' }, { title: '' }), null);
  });
});

describe('restoring a version', () => {
  const change = (version: number | null, path: string, before: boolean) => ({
    version,
    changes: [{ path, before, after: !before }],
  });
  const path = 'maintenance.enabled';
  /** Closed by the second version, opened by the fourth; the third changed something else. */
  const changes = [
    change(4, path, true),
    change(3, 'site_name', true),
    change(null, '', false),
    change(2, path, false),
  ];
  const titleOf = (number: number, isClosed = false) =>
    askedToRestore({ slug: 'general', value: general(isClosed) }, changes, number)?.title ?? null;

  it('asks where the site was closed by it, and is open', () => {
    const titles = [0, 1, 2, 3, 4].map((number) => titleOf(number));
    const asked = 'settings_close_title';
    assert.deepEqual(titles, [null, null, asked, asked, null]);
    assert.equal(titleOf(2, true), null);
  });

  it('may ask where the changes that are known do not reach it, and it has a switch', () => {
    const known = [change(5, 'site_name', true)];
    const mayAsk = (slug: string, number: number, isClosed = false) =>
      mayAskToRestore({ slug, value: general(isClosed) }, known, number);
    const answers = [0, 1, 2, 3].map((number) => mayAsk('general', number));
    assert.deepEqual(answers, [true, true, true, true]);
    assert.equal(mayAsk('general', 4), false);
    assert.equal(mayAsk('general', 1, true), false);
    assert.equal(mayAsk('seo', 1), false);
    assert.equal(mayAskToRestore({ slug: 'general', value: general(false) }, changes, 1), false);
  });
});
