import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondStepPath } from './after-sign-in.ts';

describe('the path of the second step', () => {
  it('keeps `next` and the method shown first', () => {
    const path = secondStepPath('/preview?a=1&b=2', 'recovery_code');
    const { pathname, searchParams } = new URL(path, 'https://site.example');
    assert.equal(pathname, '/two-factor');
    assert.equal(searchParams.get('next'), '/preview?a=1&b=2');
    assert.equal(searchParams.get('by'), 'recovery_code');
  });
  it('has no query where nothing is to be kept', () => {
    assert.equal(secondStepPath(null), '/two-factor');
  });
});
