import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closesSite } from './closing.ts';

const draft = (enabled: boolean) => ({ site_name: 'Desk', maintenance: { enabled, message: '' } });

describe('saving that closes the site', () => {
  it('is one that switches it off, and none that leaves it as it is', () => {
    assert.equal(closesSite(draft(true), draft(false)), true);
    assert.equal(closesSite(draft(true), draft(true)), false);
    assert.equal(closesSite(draft(false), draft(true)), false);
    assert.equal(closesSite({ title: 'Of another group' }, { title: '' }), false);
  });
});
