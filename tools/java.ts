/** Finds the Java that the W3C's checker of markup runs in. */
import { execFileSync } from 'node:child_process';

/** The least that the checker asks for. */
const LEAST = 11;

/** The command, JAVA's before all others; null when there is none that is new enough. */
export function findJava(env: NodeJS.ProcessEnv): string | null {
  const command = env['JAVA'] || 'java';
  try {
    const words = execFileSync(command, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/\d+/.exec(words)?.[0] ?? 0) >= LEAST ? command : null;
  } catch {
    return null;
  }
}
