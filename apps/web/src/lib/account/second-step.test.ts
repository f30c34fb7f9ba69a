import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondStepPath } from './second-step.ts';

describe('the address of the second step', () => {
  it('keeps where the person was going, and the way that is shown first', () => {
    const path = secondStepPath('/preview?a=1&b=2', 'recovery_code');
    const { pathname, searchParams } = new URL(path, 'https://site.example');
    assert.equal(pathname, '/two-factor');
    assert.equal(searchParams.get('next'), '/preview?a=1&b=2');
    assert.equal(searchParams.get('by'), 'recovery_code');
  });
  it('is the page alone where nothing is to be kept', () => {
    assert.equal(secondStepPath(null), '/two-factor');
  });
});
