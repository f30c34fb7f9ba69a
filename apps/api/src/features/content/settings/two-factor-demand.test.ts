import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuseOwnLockOut } from './two-factor-demand.ts';

const none = { hasTwoFactor: false };
const demand = (two_factor_for_admins: unknown, appEnv: 'local' | 'production', saver = none) =>
  refuseOwnLockOut({ two_factor_for_admins }, { appEnv }, saver);

describe('a demand that would shut out whoever makes it', () => {
  it('is refused on its field, also where the default demands', () => {
    const onField = { status: 422, code: 'validation_failed' };
    assert.throws(() => demand('on', 'local'), onField);
    assert.throws(() => demand('default', 'production'), onField);
  });

  it('passes from who has a second factor, and where nothing is demanded', () => {
    demand('on', 'production', { hasTwoFactor: true });
    demand('default', 'local');
    demand('off', 'production');
    demand(7, 'production');
  });
});
