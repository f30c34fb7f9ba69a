/** Which device a session was opened on, in words that its owner knows it by. */
import Bowser from 'bowser';

/** Browsers say what they like, at what length they like; as much as this is kept of a session. */
const READ = 300;
const LONGEST = 60;
/** Of a browser that it does not know the library answers what it calls itself: a stranger's own words. */
const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP));

/**
 * `Firefox on Linux`: known names alone, since emails and pages show them. A hint, which proves
 * nothing.
 */
export function deviceOf(userAgent: string | null): string {
  const agent = (userAgent ?? '').slice(0, READ);
  if (agent.trim() === '') return 'Unknown device';
  const { browser, os } = Bowser.parse(agent);
  const named = [known(BROWSERS, browser.name), known(SYSTEMS, os.name)].filter(
    (name) => name !== null,
  );
  return named.length === 0 ? 'Unknown device' : named.join(' on ').slice(0, LONGEST);
}

function known(names: ReadonlySet<string>, name: string | undefined): string | null {
  return name !== undefined && names.has(name) ? name : null;
}
