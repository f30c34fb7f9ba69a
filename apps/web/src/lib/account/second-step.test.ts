import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondStepPath, stepMethods } from './second-step.ts';

const read = (path: string) => new URL(path, 'https://site.example').searchParams;

describe('the address of the second step', () => {
  it('keeps the ways and where the person was going', () => {
    const query = read(
      secondStepPath(['totp', 'recovery_code'], '/preview?a=1&b=2', 'recovery_code'),
    );
    assert.deepEqual(stepMethods(query), ['totp', 'recovery_code']);
    assert.equal(query.get('next'), '/preview?a=1&b=2');
    assert.equal(query.get('by'), 'recovery_code');
  });
  it('offers every way where it names none that exists', () => {
    for (const path of ['/two-factor', '/two-factor?methods=smoke+signals']) {
      assert.deepEqual(stepMethods(read(path)), ['totp', 'passkey', 'recovery_code'], path);
    }
  });
});
