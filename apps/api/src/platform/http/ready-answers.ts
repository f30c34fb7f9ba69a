/**
 * Public answers that are ready (`Published.ready`) are sent before the framework is asked: routing, hooks and
 * reply take as long as sending one does. Counted, logged and with the same headers as from the framework.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import type { ReadyAnswer, Representation } from '#platform/cache/published.ts';
import type { AnswerLog } from '#platform/log.ts';
import type { Throttles } from '#platform/security/throttles.ts';
import { encodingFor, matches } from './conditional.ts';
import { originHeaders } from './cors.ts';
import { requestId } from './request-context.ts';

export interface ReadyAnswersOptions {
  /** Of every answer of the application. */
  readonly headers: Readonly<Record<string, string>>;
  readonly throttles: Throttles | null;
  readonly logAnswer: AnswerLog;
}

/** Goes before the framework's own listener: a server of one's own would need the throttles before they exist. */
export function sendReadyAnswers(
  app: FastifyInstance,
  { config, published }: Pick<Deps, 'config' | 'published'>,
  { headers: common, throttles, logAnswer }: ReadyAnswersOptions,
): void {
  const isTrusted = proxyAddr.compile([...config.trustedProxies]);
  const [ask] = app.server.listeners('request');
  if (ask === undefined) throw new Error('The framework does not listen.');
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  function send(req: IncomingMessage, res: ServerResponse, ready: ReadyAnswer): void {
    const { answer, route, throttle } = ready;
    const ip =
      req.headers['x-forwarded-for'] === undefined
        ? (req.socket.remoteAddress ?? '')
        : proxyAddr(req, isTrusted);
    const counted = throttles?.count(throttle, { ip, userId: null });
    if (counted && counted.retryAfterSeconds !== null) {
      // The framework counts it once more, and refuses it.
      ask?.call(app.server, req, res);
      return;
    }
    const { origin, 'accept-encoding': encodings, 'if-none-match': tags } = req.headers;
    const id = requestId(req);
    const representation = answer.representations[encodingFor(encodings)];
    const status = matches(tags, answer.etag) ? 304 : 200;
    const headers = [...headersOf(representation)[status], 'x-request-id', id];
    if (counted) append(headers, counted.headers);
    if (origin !== undefined) append(headers, originHeaders(config, origin));
    res.writeHead(status, headers).end(status === 200 ? representation.body : undefined);
    logAnswer({ id, method: 'GET', route, status, code: null, ms: 0, ip });
  }

  const known = new WeakMap<Representation, Record<200 | 304, readonly string[]>>();

  /** Made once: they are most of what a request would spend. */
  function headersOf(representation: Representation): Record<200 | 304, readonly string[]> {
    const made = known.get(representation);
    if (made) return made;
    const unchanged = append([], { ...common, ...representation.headers });
    const headers = { 200: append([...unchanged], representation.bodyHeaders), 304: unchanged };
    known.set(representation, headers);
    return headers;
  }

  app.server.removeAllListeners('request');
  app.server.on('request', (req, res) => {
    const ready = isClosing || !isPlainGet(req) ? undefined : published.ready(req.url ?? '');
    if (ready === undefined) ask.call(app.server, req, res);
    else {
      try {
        send(req, res, ready);
      } catch {
        res.destroy();
      }
    }
  });
}

/** Without a body. */
function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && !headers['content-length'] && !headers['transfer-encoding'];
}

/** Name, value, name, value …. */
function append(list: string[], headers: Readonly<Record<string, string>>): string[] {
  for (const name in headers) list.push(name, headers[name] ?? '');
  return list;
}
