import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from './plain-data.ts';

describe('parse', () => {
  it('restores objects, lists and plain values', () => {
    const text = '[{"name":1,"rows":2,"none":-1,"nil":5},"Mira",[3,4,3],{"n":6},true,null,0.5]';
    const row = { n: 0.5 };
    assert.deepEqual(parse(text), {
      name: 'Mira',
      rows: [row, true, row],
      none: undefined,
      nil: null,
    });
  });

  it('reads undefined and empty values', () => {
    assert.equal(parse('-1'), undefined);
    assert.deepEqual(parse('[{}]'), {});
    assert.deepEqual(parse('[[]]'), []);
  });

  it('keeps a key that would change an object’s prototype', () => {
    const read = parse('[{"__proto__":1},{"admin":2},true]') as { admin?: boolean };
    assert.equal(read.admin, undefined);
  });

  it('revives SvelteKit’s own types', () => {
    const revivers = { Promise: (id: unknown) => `promise ${String(id)}` };
    assert.deepEqual(parse('[{"later":1},["Promise",2],7]', revivers), { later: 'promise 7' });
  });

  it('throws for anything but plain data', () => {
    for (const text of ['[["Date","2026-01-01"]]', '[["Map",1,2],"a","b"]', '[[-2]]', '-3']) {
      assert.throws(() => parse(text), /plain-data\.ts/);
    }
  });
});
