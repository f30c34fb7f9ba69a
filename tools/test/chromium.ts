/** Finds the Chromium that the browser journeys drive. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The shell is the same engine without windows: the journeys take a fifth less time in it. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const ELSEWHERE = [
  '/usr/bin/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The executable's path, CHROMIUM's before all others; null when there is none. */
export function findChromium(env: NodeJS.ProcessEnv): string | null {
  const named = env['CHROMIUM'];
  if (named) return isExecutable(named) ? named : null;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...candidates, ...ELSEWHERE].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
