/**
 * One signal for every way in which a command is told to stop: Ctrl-C, SIGTERM,
 * a closed terminal, or the end of the bootstrap that started it. Ctrl-C arrives
 * twice, from the terminal and passed on by the bootstrap, and counts once.
 */

/** Aborted at the first request to stop; the reason is its name. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = (why: string) => controller.abort(why);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop(signal));
  if (process.connected) {
    process.on('disconnect', () => stop('disconnect'));
    // Listening to the channel must not keep a finished command alive.
    process.channel?.unref();
  }
  return controller.signal;
}
