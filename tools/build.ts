/** `npm run build`: builds the API and the frontend, unless their sources are as they were. */
import { apiBuild } from './api-build.ts';
import { isBuilt, makeBuild } from './build-folder.ts';
import { interruption } from './interruption.ts';
import { runCommand } from './plain-error.ts';
import { say, step } from './progress.ts';
import { webBuild } from './web-build.ts';

await runCommand(async () => {
  const signal = interruption();
  for (const build of [apiBuild, webBuild]) {
    if (isBuilt(build)) say(`The ${build.name} is built already.`);
    else await step(`Building the ${build.name}`, () => makeBuild(build, signal));
  }
});
