import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chosenDraft,
  differences,
  firstChoice,
  laidOver,
  lineLeaves,
  revivedLines,
  sameDraft,
} from './comparison.ts';

interface Form {
  title: string;
  body: string;
  day: string;
}

const leaves = lineLeaves<Form>(
  { title: 'Title', body: 'Text', day: 'Day' },
  { body: (html) => html.replace(/<[^>]*>/g, '') },
);
const before: Form = { title: 'Terms', body: '<p>Old.</p>', day: '' };

it('what was typed since goes over another draft, field by field', () => {
  const under = { title: 'Kept', body: '<p>Kept.</p>', day: '2026-05-01' };
  const typed = { ...before, title: 'Typed', day: '' };
  assert.deepEqual(laidOver(leaves, { before, typed, under }), { ...under, title: 'Typed' });
  assert.equal(laidOver(leaves, { before, typed: { ...before }, under }), under);
});

describe('two who wrote the same form', () => {
  it('are told which fields they differ in, and who changed each', () => {
    const mine = { ...before, title: 'My terms', body: '<p>Mine.</p>' };
    const theirs = { ...before, body: '<p>Theirs.</p>', day: '2026-05-01' };
    const found = differences(leaves, { before, mine, theirs });
    assert.deepEqual(
      found.map(({ path, label, by }) => [path, label, by]),
      [
        ['title', 'Title', 'mine'],
        ['body', 'Text', 'both'],
        ['day', 'Day', 'theirs'],
      ],
    );
    const [, body] = found;
    assert.deepEqual([body?.before, body?.mine, body?.theirs], ['Old.', 'Mine.', 'Theirs.']);
  });

  it('keep what one alone has changed, unless they choose otherwise', () => {
    const mine = { ...before, title: 'My terms', body: '<p>Mine.</p>' };
    const theirs = { ...before, body: '<p>Theirs.</p>', day: '2026-05-01' };
    const found = differences(leaves, { before, mine, theirs });
    const sides = Object.fromEntries(found.map((field) => [field.path, firstChoice(field)]));
    assert.deepEqual(chosenDraft(leaves, { mine, theirs }, sides), {
      title: 'My terms',
      body: '<p>Mine.</p>',
      day: '2026-05-01',
    });
    const all = (side: 'mine' | 'theirs') =>
      Object.fromEntries(found.map(({ path }) => [path, side]));
    assert.deepEqual(chosenDraft(leaves, { mine, theirs }, all('mine')), mine);
    assert.deepEqual(chosenDraft(leaves, { mine, theirs }, all('theirs')), theirs);
  });

  it('have nothing to choose where they wrote the same', () => {
    const same = { ...before, title: 'Ours' };
    assert.deepEqual(differences(leaves, { before, mine: same, theirs: { ...same } }), []);
    assert.ok(sameDraft(leaves, same, { ...same }) && !sameDraft(leaves, same, before));
  });
});

describe('what was kept of a form of lines', () => {
  it('comes back over a whole one, without what the form does not have', () => {
    const kept = { title: 'Typed', body: 7, extra: 'no', constructor: 'no' };
    assert.deepEqual(revivedLines(before, kept), { ...before, title: 'Typed' });
    for (const nothing of [null, undefined, 'text', 4]) {
      assert.deepEqual(revivedLines(before, nothing), before);
    }
  });
});
