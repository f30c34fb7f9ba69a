/** `npm run e2e`: the browser journeys alone. */
import { runCommand } from './plain-error.ts';
import { runTests } from './test-run.ts';

await runCommand(() => runTests({ patterns: process.argv.slice(2), journeysOnly: true }));
