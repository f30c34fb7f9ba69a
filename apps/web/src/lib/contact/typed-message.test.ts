import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  beginningOf,
  messageBody,
  reportBody,
  reportedPage,
  sentReference,
} from './typed-message.ts';

const query = (text: string) => new URLSearchParams(text);

describe('a message', () => {
  it('has every field, including the bait', () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({
      name: 'Ada',
      email: ' ada@example.com ',
      topic: 'rates',
      exchange_number: ' CX-AAAA-BBBB ',
      message: 'Why so?',
      website: 'https://buy.example',
      stamp: 'mhzf1a2b.c',
    }))
      form.set(name, value);
    assert.deepEqual(messageBody(form), {
      name: 'Ada',
      email: 'ada@example.com',
      topic: 'rates',
      exchange_number: 'CX-AAAA-BBBB',
      message: 'Why so?',
      website: 'https://buy.example',
      stamp: 'mhzf1a2b.c',
    });
  });

  it('has the topic "other" where none was chosen, and does not break for a missing field', () => {
    assert.equal(messageBody(new FormData()).topic, 'other');
    assert.equal(messageBody(new FormData()).message, '');
    assert.deepEqual(reportBody(new FormData()), {
      title: '',
      description: '',
      page: '',
      website: '',
    });
  });
});

describe('the initial form', () => {
  it('has the signed-in user, and the exchange in the link', () => {
    const user = { name: 'Mira', email: 'mira@example.com' };
    assert.deepEqual(beginningOf(query('exchange=CX-AAAA-BBBB'), user), {
      ...user,
      topic: 'exchange',
      exchange_number: 'CX-AAAA-BBBB',
    });
    assert.equal(beginningOf(query('topic=press&exchange=CX-A'), null).topic, 'press');
    assert.deepEqual(beginningOf(query('topic=love'), null), {
      name: '',
      email: '',
      topic: '',
      exchange_number: '',
    });
  });

  it('is no longer than the API accepts', () => {
    assert.equal(beginningOf(query(`exchange=${'x'.repeat(99)}`), null).exchange_number.length, 20);
    assert.equal(reportedPage(query(`page=/${'x'.repeat(999)}`)).length, 300);
  });
});

describe('sentReference', () => {
  it('returns a valid reference or null', () => {
    assert.equal(sentReference(query('sent=MSG-000123')), 'MSG-000123');
    for (const text of ['', 'sent=', 'sent=call%20555', 'sent=MSG-1', 'sent=MSG-000123%20!'])
      assert.equal(sentReference(query(text)), null, text);
  });
});
