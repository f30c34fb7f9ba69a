/**
 * One form of URL for both kinds of server. The embedded one listens only on a Unix socket; as for libpq, the
 * socket's directory is the parameter `host`: `postgresql://user:password@localhost/database?host=%2Frun`. So
 * the same URL works for `pg_dump "$DATABASE_URL"`.
 */
import type postgres from 'postgres';

const DEFAULT_PORT = 5432;

export interface SocketAddress {
  /** The directory that holds `.s.PGSQL.<port>`. */
  directory: string;
  user: string;
  password: string;
  database: string;
}

/** Writes the URL of a server that listens on a Unix socket. */
export function socketUrl({ directory, user, password, database }: SocketAddress): string {
  const url = new URL('postgresql://localhost');
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  url.pathname = `/${encodeURIComponent(database)}`;
  url.searchParams.set('host', directory);
  return url.href;
}

/** The same server and role, another database. */
export function withDatabase(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/**
 * The driver's options for this URL. `sslmode` works as in libpq; `application_name`, `options` and other
 * run-time parameters are passed on to the server.
 * @throws {TypeError} for another kind of URL
 */
export function connectionOptions(databaseUrl: string): postgres.Options<Record<string, never>> {
  const url = new URL(databaseUrl);
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw new TypeError('A database URL begins with postgres:// or postgresql://');
  }
  const parameters = new Map(url.searchParams);
  const host =
    take(parameters, 'host') ?? (unbracket(decodeURIComponent(url.hostname)) || 'localhost');
  const port = Number.parseInt(take(parameters, 'port') ?? url.port, 10) || DEFAULT_PORT;
  const sslmode = take(parameters, 'sslmode') ?? 'prefer';
  const onSocket = host.startsWith('/');

  const timeoutSeconds = Number.parseInt(take(parameters, 'connect_timeout') ?? '', 10);
  // Parameters of libpq that the driver does not have, and that the server would refuse.
  for (const name of ['sslcert', 'sslkey', 'sslrootcert', 'channel_binding', 'gssencmode']) {
    parameters.delete(name);
  }
  return {
    host,
    port,
    ...(onSocket ? { path: `${host}/.s.PGSQL.${port}` } : {}),
    database: decodeURIComponent(url.pathname.slice(1)),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ssl: onSocket ? false : sslOption(sslmode),
    ...(timeoutSeconds > 0 ? { connect_timeout: timeoutSeconds } : {}),
    connection: { application_name: 'cambist', ...Object.fromEntries(parameters) },
  };
}

function take(parameters: Map<string, string>, name: string): string | undefined {
  const value = parameters.get(name);
  parameters.delete(name);
  return value === '' ? undefined : value;
}

function unbracket(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function sslOption(mode: string): 'require' | 'prefer' | 'verify-full' | false {
  if (mode === 'disable') return false;
  if (mode === 'require') return 'require';
  // Checking the certificate without the name would not be secure.
  if (mode === 'verify-ca' || mode === 'verify-full') return 'verify-full';
  return 'prefer';
}
