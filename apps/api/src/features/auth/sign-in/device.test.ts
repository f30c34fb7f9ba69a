import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deviceOf } from './device.ts';

describe('the device of a session', () => {
  for (const [agent, words] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    ['', 'Unknown device'],
    [null, 'Unknown device'],
    ['  ', 'Unknown device'],
  ] as const)
    it(words, () => assert.equal(deviceOf(agent), words));

  it('does not show the name of an unknown browser', () => {
    for (const [agent, words] of [
      ['Your account is blocked. Call 555010/1 (now)', 'Unknown device'],
      ['evil.example/x', 'Unknown device'],
      ['You won/1 Firefox/140.0', 'Firefox'],
      ['Open-evil.example/1 (X11; Linux x86_64)', 'Linux'],
      [`${'x'.repeat(12_000)}/1 `, 'Unknown device'],
      [`${'('.repeat(6000)}${'x/'.repeat(3000)}`, 'Unknown device'],
    ] as const)
      assert.equal(deviceOf(agent), words, agent.slice(0, 50));
  });
});
