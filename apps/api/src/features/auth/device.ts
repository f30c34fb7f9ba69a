/** Which device a session was opened on, in words that its owner knows it by. */
import Bowser from 'bowser';

/** `Firefox on Linux`; browsers say what they like, so this is a hint and proves nothing. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown device';
  const { browser, os } = Bowser.parse(userAgent);
  const named = [browser.name, os.name].filter((name) => name !== undefined && name !== '');
  return named.length === 0 ? 'Unknown device' : named.join(' on ');
}
