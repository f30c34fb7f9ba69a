import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { begunText, begunWith, sentVersion } from './sent-form.ts';

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

describe('a form that was sent without script', () => {
  it('is saved over what it began with, and over a later one only where its writer says so', () => {
    assert.equal(sentVersion(form({ version: '1' })), 1);
    assert.equal(sentVersion(form({ version: '1', over: '3' })), 3);
  });

  it('knows after a refusal what it began with', () => {
    const values = { version: '1', over: '2', began: '{"title":"Terms"}' };
    assert.deepEqual(begunWith(values), { version: 1, draft: { title: 'Terms' } });
    assert.deepEqual(begunWith({ version: '1' }), { version: 1, draft: null });
    assert.deepEqual(begunWith({ version: '1', began: '{' }), { version: 1, draft: null });
    for (const version of ['', 'one', '1.5']) assert.equal(begunWith({ version }), null);
    assert.equal(begunWith({}), null);
    const long = { title: 'Terms', body: 'x'.repeat(30_001), day: null };
    const began = begunText(long);
    assert.deepEqual(begunWith({ version: '1', began })?.draft, { ...long, body: '' });
  });
});
