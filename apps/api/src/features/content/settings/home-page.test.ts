/** The points of the home page: what none of them can do without. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startTestApi } from '#test/harness.ts';
import { settingDefaults } from './defaults.ts';

const home = settingDefaults['home-page'];
const whole = {
  figure: { value: '30', label: 'pairs' },
  point: { icon: 'lock' as const, title: 'One', text: 'Two' },
  step: { title: 'One', text: 'Two' },
  quote: { quote: 'Good', name: '', detail: '' },
  question: { question: 'Why?', answer: 'So.' },
};
const blank = '\u00a0 ';

/** A home page with these points beside the whole ones. */
const withPoints = (points: {
  readonly [K in keyof typeof whole]: readonly (typeof whole)[K][];
}) => ({
  ...home,
  stats: { ...home.stats, items: [...points.figure, whole.figure] },
  features: { ...home.features, items: [...points.point, whole.point] },
  how_it_works: { ...home.how_it_works, steps: [...points.step, whole.step] },
  testimonials: { ...home.testimonials, items: [...points.quote, whole.quote] },
  faq: { ...home.faq, items: [...points.question, whole.question] },
});
const half = withPoints({
  figure: [
    { value: '', label: 'pairs' },
    { value: '30', label: blank },
  ],
  point: [],
  step: [],
  quote: [{ quote: blank, name: 'Ada', detail: 'Paris' }],
  question: [
    { question: '', answer: 'So.' },
    { question: 'Why?', answer: blank },
  ],
});
const wordless = withPoints({
  figure: [],
  point: [{ icon: 'lock', title: blank, text: '' }],
  step: [{ title: '', text: blank }],
  quote: [],
  question: [],
});

it('asks for what a point cannot do without, by its field', async () => {
  const api = await startTestApi({ after });
  const { client } = await api.asAdmin();
  const path = '/api/admin/settings/home-page';
  const refused = async (value: object) => {
    const { status, body } = await client.put(path, { version: 0, value });
    assert.equal(status, 422);
    return body.errors;
  };
  assert.deepEqual(Object.keys(await refused(half)), [
    'stats.items.0.value',
    'stats.items.1.label',
    'testimonials.items.0.quote',
    'faq.items.0.question',
    'faq.items.1.answer',
  ]);
  assert.deepEqual(await refused(wordless), {
    'features.items.0.text': ['The text of features item 1 is required without a heading.'],
    'how_it_works.steps.0.text': ['The text of how it works step 1 is required without a heading.'],
  });
  const value = withPoints({
    figure: [],
    point: [{ ...whole.point, title: '' }],
    step: [{ ...whole.step, text: '' }],
    quote: [],
    question: [],
  });
  const kept = await client.put(path, { version: 0, value });
  assert.equal(kept.status, 200, kept.text);
  assert.deepEqual(kept.body.data.value, value);
});
