/** The patterns of fields, which admins write and which run on customers' input. */
import { createContext, Script } from 'node:vm';

/** A valid pattern takes a millisecond; one that backtracks without end is stopped. */
const TIMEOUT_MS = 50;

/** Only `vm` can stop a regular expression. */
const sandbox = createContext({ expression: /./, text: '' });
const test = new Script('expression.test(text)');

/** The error of the pattern, as the end of a sentence; null for a valid one. */
export function patternError(pattern: string): string | null {
  try {
    compile(pattern);
    return null;
  } catch {
    return 'is not a regular expression';
  }
}

function compile(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u');
}

/** Whether the whole text matches; false where that cannot be said in time. */
export function matchesPattern(pattern: string, text: string): boolean {
  Object.assign(sandbox, { expression: compile(pattern), text });
  try {
    return test.runInContext(sandbox, { timeout: TIMEOUT_MS }) === true;
  } catch {
    return false;
  }
}
