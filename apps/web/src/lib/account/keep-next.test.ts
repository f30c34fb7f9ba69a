import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepNext, nextOfLetter } from './keep-next.ts';

describe('keepNext', () => {
  it('takes along where the person was going, and nothing else', () => {
    const here = new URL(
      'https://site.example/signin?trouble=failed&next=%2Fpreview%3Fpair%3Da%26amount%3D1',
    );
    const kept = new URL(keepNext('/signup', here), here);
    assert.equal(kept.pathname, '/signup');
    assert.equal(kept.searchParams.get('next'), '/preview?pair=a&amount=1');
    assert.equal(kept.searchParams.get('trouble'), null);
  });
  it('is the bare path where nothing is to be kept', () => {
    assert.equal(
      keepNext('/signup', new URL('https://site.example/signin?trouble=failed')),
      '/signup',
    );
  });
});

describe('nextOfLetter', () => {
  it('is where the person was going', () => {
    const next = '/preview?pair=a&amount=1';
    assert.deepEqual(nextOfLetter(next), { next });
  });
  it('is nothing where that is not said, or longer than the service takes', () => {
    assert.deepEqual(nextOfLetter(null), {});
    assert.deepEqual(nextOfLetter(`/${'a'.repeat(4000)}`), {});
  });
});
