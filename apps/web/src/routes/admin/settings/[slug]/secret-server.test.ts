import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettingsEntry } from '@cambist/contract/settings';
import { forsakenServer, isOtherServer, restoredWithout } from './secret-server.ts';

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

  it('is told once saving has removed its password', () => {
    const before = entry('old.example.com', true);
    assert.equal(forsakenServer(before, entry('new.example.com', false)), 'old.example.com');
    assert.equal(forsakenServer(before, entry('old.example.com', true)), null);
    assert.equal(forsakenServer(entry('old.example.com', false), entry('', false)), null);
    assert.equal(forsakenServer(entry('', true, 'rate-api'), entry('', false, 'rate-api')), null);
  });

  it('is told where a version that names it again was restored, and its password was not', () => {
    const restored = { kind: 'restored', version: 3, changes: [{ path: 'host' }] };
    const removed = { kind: 'secret_removed', version: null, changes: [] };
    const told = (of: SettingsEntry, ...changes: object[]) =>
      restoredWithout({ ...of, overridden_by: [] }, changes as never);
    assert.equal(told(entry('old.example.com', false), restored, removed), 'old.example.com');
    assert.equal(told(entry('old.example.com', false), removed, restored), 'old.example.com');
    assert.equal(told(entry('old.example.com', true), restored, removed), null);
    assert.equal(told(entry('old.example.com', false), restored), null);
    assert.equal(told(entry('', false), restored, removed), null);
    const saved = { ...restored, kind: 'written' };
    assert.equal(told(entry('old.example.com', false), saved, removed, restored), null);
    const elsewhere = { ...restored, changes: [{ path: 'from_name' }] };
    assert.equal(told(entry('old.example.com', false), elsewhere, removed), null);
    const beaten = { ...entry('old.example.com', false), overridden_by: ['MAIL_URL'] };
    assert.equal(restoredWithout(beaten, [restored, removed] as never), null);
  });
});
