import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestEvent } from '@sveltejs/kit';
import { MAX_FORM_FIELDS, limitFormFields } from './form-size.ts';

/**
 * Returns the status of a request whose form is read behind the hook, and the number of fields
 * read.
 */
async function read(body: string | FormData, contentType?: string) {
  const request = new Request('http://localhost/contact', {
    method: 'POST',
    body,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });
  let fields: number | null = null;
  const answer = await limitFormFields({
    event: { request } as RequestEvent,
    resolve: async ({ request: seen }) => {
      fields = [...(await seen.formData())].length;
      return new Response();
    },
  });
  return [answer.status, fields];
}

const FORM = 'application/x-www-form-urlencoded';

/** A form with this many fields. */
function multipart(count: number): FormData {
  const form = new FormData();
  for (let at = 0; at < count; at += 1) form.append(`field${at}`, 'a & b');
  return form;
}

describe('a posted form', () => {
  it('is read when it has as many fields as forms have', async () => {
    assert.deepEqual(await read('name=Ana&text=a%26b', FORM), [200, 2]);
    assert.deepEqual(await read(multipart(90)), [200, 90]);
    assert.deepEqual(await read(`text=${'%26'.repeat(2000)}`, FORM), [200, 1]);
  });

  it('is refused unread when it has more', async () => {
    const many = 'a&'.repeat(MAX_FORM_FIELDS);
    for (const type of [FORM, `${FORM};charset=utf-8`, FORM.toUpperCase()]) {
      assert.deepEqual(await read(many, type), [413, null], type);
    }
    assert.deepEqual(await read(multipart(MAX_FORM_FIELDS)), [413, null]);
  });

  it('passes when it is no form', async () => {
    const request = new Request('http://localhost/', { method: 'POST', body: '&'.repeat(9000) });
    const answer = await limitFormFields({
      event: { request } as RequestEvent,
      resolve: async (event) => new Response(await event.request.text()),
    });
    assert.equal((await answer.text()).length, 9000);
  });
});
