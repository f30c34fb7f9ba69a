import assert from 'node:assert/strict';
import { it } from 'node:test';
import { takeLeftOut, tellLeftOut } from './left-out.ts';

/** A browser's visit to this page, with the cookies that it keeps. */
function visit(path: string) {
  const kept = new Map<string, string>();
  const cookies = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: string, { path: where }: { path: string }) => {
      assert.equal(where, path);
      assert.ok(encodeURIComponent(value).length < 4_000, 'larger than browsers keep');
      kept.set(name, value);
    },
    delete: (name: string, { path: where }: { path: string }) => {
      assert.equal(where, path);
      kept.delete(name);
    },
  };
  const event = { cookies, url: new URL(path, 'http://desk.test') };
  return event as unknown as Parameters<typeof takeLeftOut>[0];
}

const path = '/admin/blog/one';

it('what had no place is told by the page that follows, and not by the one after it', () => {
  const event = visit(path);
  const names = ['<script>', 'onclick of <p>', '<!-- -->'];
  assert.equal(tellLeftOut(names, path, event), path);
  assert.deepEqual(takeLeftOut(event), names);
  assert.deepEqual(takeLeftOut(event), []);
});

it('nothing is told where all had a place', () => {
  const event = visit(path);
  assert.equal(tellLeftOut([], path, event), path);
  assert.deepEqual(takeLeftOut(event), []);
});

it('as many are told as a cookie holds', () => {
  const event = visit(path);
  const names = Array.from({ length: 40 }, (_, at) => `${'例'.repeat(36)}${at} of <p>`);
  tellLeftOut(names, path, event);
  const told = takeLeftOut(event);
  assert.ok(told.length > 5);
  assert.deepEqual(told, names.slice(0, told.length));
});
