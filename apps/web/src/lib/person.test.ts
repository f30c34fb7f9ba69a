import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  asked,
  found,
  isAnother,
  madeFor,
  personHeaders,
  tellDone,
  told,
  turnOf,
} from './person.ts';

const failure = (code: string) => ({
  status: 409,
  code,
  message: '',
  errors: {},
  request_id: null,
});
const nothing = () => undefined;

afterEach(() =>
  madeFor({ person: () => null, displaced: nothing, met: nothing, present: nothing }),
);

describe('the person that a write names', () => {
  it('is whom the page shows at that moment, and nobody for a guest', () => {
    let person: string | null = 'a';
    madeFor({ person: () => person, displaced: nothing, met: nothing, present: nothing });
    assert.deepEqual(personHeaders(), { 'X-Signed-In-As': 'a' });
    person = null;
    assert.deepEqual(personHeaders(), {});
    person = 'b';
    assert.deepEqual(personHeaders(), { 'X-Signed-In-As': 'b' });
  });

  it('is on the server whom the form names, whatever stands there', () => {
    assert.deepEqual(personHeaders('a'), { 'X-Signed-In-As': 'a' });
    assert.deepEqual(personHeaders('ä\n'), { 'X-Signed-In-As': '%C3%A4%0A' });
  });

  it('is told to the page only where another is signed in', () => {
    let met = 0;
    madeFor({ person: () => 'a', displaced: () => (met += 1), met: nothing, present: nothing });
    assert.equal(told(failure('version_conflict'), asked()).code, 'version_conflict');
    assert.equal(met, 0);
    assert.ok(isAnother(told(failure('signed_in_as_another'), asked())));
    assert.equal(met, 1);
  });
});

describe('a write that was done', () => {
  it('shows that the person is here, unless it reads or a guest may write it too', () => {
    let seen = 0;
    madeFor({ person: () => 'a', displaced: nothing, met: nothing, present: () => (seen += 1) });
    const told = (['member', 'admin', 'stateful', 'public'] as const).map((scope) => {
      tellDone({ method: 'POST', scope }, asked());
      return seen;
    });
    tellDone({ method: 'GET', scope: 'member' }, asked());
    assert.deepEqual([...told, seen], [1, 2, 2, 2, 2]);
  });
});

describe('an answer that was asked for before somebody else was met', () => {
  it('does not show that the person is here, and one that was asked for since does', () => {
    let seen = 0;
    madeFor({ person: () => 'a', displaced: nothing, met: nothing, present: () => (seen += 1) });
    const meetings = [
      () => told(failure('signed_in_as_another'), asked()),
      () => found('b', asked()),
    ];
    for (const meet of meetings) {
      const present = asked();
      meet();
      present();
      found('a', present);
      found(null, present);
      tellDone({ method: 'POST', scope: 'member' }, present);
      assert.equal(seen, 0);
    }
    found('a', asked());
    assert.equal(seen, 1);
  });
});

describe('an answer that was asked for while somebody else was here', () => {
  it('does not tell so once the person is back, and one that was asked for since does', () => {
    let met = 0;
    madeFor({ person: () => 'a', displaced: nothing, met: () => (met += 1), present: nothing });
    found('b', asked());
    const late = asked();
    found('a', asked());
    found('b', late);
    assert.equal(met, 1);
    found('b', asked());
    assert.equal(met, 2);
  });

  it('is passed on as the refusal that it is, and displaces nobody who is back', () => {
    let displaced = 0;
    madeFor({
      person: () => 'a',
      displaced: () => (displaced += 1),
      met: nothing,
      present: nothing,
    });
    found('b', asked());
    const late = asked();
    found('a', asked());
    assert.ok(isAnother(told(failure('signed_in_as_another'), late)));
    assert.equal(displaced, 0);
    found('b', asked());
    told(failure('signed_in_as_another'), asked());
    assert.equal(displaced, 1);
  });

  it('tells so where the person was shown to be here all along', () => {
    let met = 0;
    madeFor({ person: () => 'a', displaced: nothing, met: () => (met += 1), present: nothing });
    const look = asked();
    found('a', asked());
    found('b', look);
    assert.equal(met, 1);
  });
});

describe('whose turn it is', () => {
  it('changes from one person straight to another, and at no sign-in or sign-out', () => {
    let person: string | null = null;
    const turn = turnOf(() => person);
    const turns = [null, 'a', 'a', 'b', null, 'c', 'a'].map((now) => {
      person = now;
      return turn();
    });
    assert.deepEqual(turns, [0, 0, 0, 1, 1, 1, 2]);
  });
});
