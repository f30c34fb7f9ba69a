/** Describes the device of a session in words that its user recognizes. */
import Bowser from 'bowser';

/** How much of a user agent is read: browsers may send any length. */
const READ_LENGTH = 300;
const LONGEST = 60;
/** For an unknown browser the library returns the name that it gives itself, which could be any text. */
const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP));

/** Such as `Firefox on Linux`: known names only, since emails and pages show it. It proves nothing. */
export function deviceOf(userAgent: string | null): string {
  const agent = (userAgent ?? '').slice(0, READ_LENGTH);
  if (agent.trim() === '') return 'Unknown device';
  const { browser, os } = Bowser.parse(agent);
  const named = [
    BROWSERS.has(browser.name ?? '') ? browser.name : undefined,
    SYSTEMS.has(os.name ?? '') ? os.name : undefined,
  ].filter((name) => name !== undefined);
  return named.length === 0 ? 'Unknown device' : named.join(' on ').slice(0, LONGEST);
}
