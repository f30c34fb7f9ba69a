/** `npm run build`: builds the frontend, unless its sources are as they were. */
import { interruption } from './interruption.ts';
import { runCommand } from './plain-error.ts';
import { say, step } from './progress.ts';
import { buildWeb, isWebBuilt } from './web-build.ts';

await runCommand(async () => {
  const signal = interruption();
  if (isWebBuilt()) say('The frontend is built already.');
  else await step('Building the frontend', () => buildWeb(signal));
});
