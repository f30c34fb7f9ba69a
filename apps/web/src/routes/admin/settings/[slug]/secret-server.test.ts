import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettingsEntry } from '@cambist/contract/settings';
import { forsakenServer, isOtherServer } from './secret-server.ts';

const server = { host: 'mail.example.com', port: '587', security: 'starttls', username: 'desk' };
const began = { ...server, from_name: 'Desk' };

function entry(host: string, set: boolean, slug = 'mail'): SettingsEntry {
  return {
    slug,
    value: { host },
    secrets: [{ name: 'password', set }],
  } as unknown as SettingsEntry;
}

describe('the server of the password', () => {
  it('is another one as soon as any part of the way to it is', () => {
    for (const part of Object.keys(server)) {
      assert.equal(isOtherServer({ ...began, [part]: 'changed' }, began), true, part);
    }
    assert.equal(isOtherServer({ ...began, from_name: 'Another' }, began), false);
    assert.equal(isOtherServer({ ...began, host: ' mail.example.com ' }, began), false);
  });

  it('is named once saving has removed its password', () => {
    const before = entry('old.example.com', true);
    assert.equal(forsakenServer(before, entry('new.example.com', false)), 'old.example.com');
    assert.equal(forsakenServer(before, entry('old.example.com', true)), null);
    assert.equal(forsakenServer(entry('old.example.com', false), entry('', false)), null);
    assert.equal(forsakenServer(entry('', true, 'rate-api'), entry('', false, 'rate-api')), null);
  });
});
