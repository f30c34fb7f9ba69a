import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ContactMessage } from '@cambist/contract/contact';
import { afterSpam } from './not-spam.ts';

const note: ContactMessage['entries'][number] = {
  id: '1',
  kind: 'note',
  body: 'Known by phone.',
  author: null,
  at: '2026-01-01T00:00:00.000Z',
};

it('a message that is no spam is new only where nobody can have dealt with it', () => {
  const states = [
    // As it came, or called spam as the first thing that anybody did.
    { version: 1, entries: [] },
    { version: 2, entries: [] },
    // Opened by hand before, or called spam for the second time.
    { version: 3, entries: [] },
    { version: 4, entries: [] },
    // Answered or noted something on.
    { version: 2, entries: [note] },
    { version: 4, entries: [note] },
  ].map(afterSpam);
  assert.deepEqual(states, ['new', 'new', 'open', 'open', 'open', 'open']);
});
