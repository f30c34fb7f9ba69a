/** The limit that an answer is measured against: bare node:http with the same bytes and headers. */
import { createServer } from 'node:http';

const [, , base64 = '', headers = '[]', status = '200'] = process.argv;
const body = Buffer.from(base64, 'base64');
const names: string[] = JSON.parse(headers);

const server = createServer((_request, response) => {
  response.writeHead(Number(status), names);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.exit(0));
