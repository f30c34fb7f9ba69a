import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HomePage } from '@cambist/contract/home-page';
import { worded } from './home-sections.ts';

it('leaves out the points that have no words, and keeps those that have one', () => {
  const words = { enabled: true, title: 'Title', intro: '' };
  const points = [
    { icon: 'lock', title: '', text: ' ' },
    { icon: 'lock', title: 'One', text: '' },
    { icon: 'lock', title: '', text: 'Two' },
  ] as const;
  const quotes = ['', 'Good'].map((quote) => ({ quote, name: 'A', detail: 'Paris' }));
  const home: HomePage = {
    order: [],
    hero: { enabled: true, title: 'Hero', text: '', cta_label: '', signed_in_cta_label: '' },
    stats: { enabled: true, items: ['', '1'].map((value) => ({ value, label: '' })) },
    rates: words,
    latest: words,
    features: { ...words, items: [...points] },
    how_it_works: { ...words, steps: [...points] },
    testimonials: { ...words, items: quotes },
    faq: { ...words, items: ['', 'Why?'].map((question) => ({ question, answer: '' })) },
    newsletter: words,
    footer: { note: '', links_enabled: true, social_enabled: true, columns: [] },
    social: [],
  };
  assert.deepEqual(worded(home), {
    ...home,
    stats: { enabled: true, items: [{ value: '1', label: '' }] },
    features: { ...words, items: points.slice(1) },
    how_it_works: { ...words, steps: points.slice(1) },
    testimonials: { ...words, items: quotes.slice(1) },
    faq: { ...words, items: [{ question: 'Why?', answer: '' }] },
  });
});
