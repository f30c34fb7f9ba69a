/** The entry of the built server: a page that is ready is sent before SvelteKit is asked. */
globalThis.clientFiles = new URL('client/', import.meta.url);

// Beside this file in the build.
const { server } = await import(new URL('server/adapter-index.js', import.meta.url));

const [render] = server.listeners('request');
server.removeAllListeners('request');
server.on('request', (req, res) => {
  const next = () => render(req, res);
  if (globalThis.readyPages)
    globalThis.readyPages.answer(req, res, next).catch(() => res.destroy());
  else next();
});
