/** The limit that a public read is measured against: bare node:http with the same bytes. */
import { createServer } from 'node:http';

const [, , base64 = '', contentType = 'application/json'] = process.argv;
const body = Buffer.from(base64, 'base64');

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': contentType, 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.exit(0));
