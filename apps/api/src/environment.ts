/**
 * Environment variables as typed values. Each method reads one variable; an invalid one adds a message to the
 * list of errors and returns the default, so that the rest is still checked.
 */
import { isIP } from 'node:net';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Every name that is read, in the order of `docs/operations/configuration.md`. */
export const VARIABLES = [
  'APP_ENV',
  'APP_KEY',
  'APP_URL',
  'FRONTEND_URL',
  'API_LISTEN',
  'API_PROCESSES',
  'WEB_LISTEN',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'SESSION_DOMAIN',
  'SESSION_SECURE_COOKIE',
  'SESSION_SAME_SITE',
  'SESSION_LIFETIME',
  'CORS_ALLOWED_ORIGINS',
  'TRUSTED_PROXIES',
  'THROTTLE_SCALE',
  'MAIL_URL',
  'MAIL_FROM',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'GOOGLE_ISSUER',
  'FACEBOOK_CLIENT_ID',
  'FACEBOOK_CLIENT_SECRET',
  'FACEBOOK_URL',
  'FACEBOOK_GRAPH_URL',
  'RATE_PROVIDERS_URL',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'LOG_LEVEL',
] as const;

export type VariableName = (typeof VARIABLES)[number];

/** All errors of the environment, each as a sentence. */
export class ConfigError extends Error {
  readonly complaints: readonly string[];
  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'));
    this.name = 'ConfigError';
    this.complaints = complaints;
  }
}

export interface ProviderClient {
  id: string;
  secret: string;
}

export interface Listen {
  /** Without brackets, also for IPv6. */
  host: string;
  port: number;
}

export class EnvironmentReader {
  readonly #env: Variables;
  readonly #complaints: string[];

  constructor(env: Variables, complaints: string[]) {
    this.#env = env;
    this.#complaints = complaints;
  }

  text(name: VariableName): string | null {
    const value = this.#env[name]?.trim() ?? '';
    return value === '' || value.toLowerCase() === 'null' ? null : value;
  }

  choice<T extends string>(name: VariableName, choices: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === null) return fallback;
    const found = choices.find((choice) => choice === value.toLowerCase());
    return (
      found ??
      this.#refuse(`${name} is "${value}"; it must be one of ${choices.join(', ')}.`, fallback)
    );
  }

  boolean(name: VariableName): boolean | null {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return null;
    if (['true', '1', 'yes', 'on'].includes(value)) return true;
    if (['false', '0', 'no', 'off'].includes(value)) return false;
    return this.#refuse(`${name} is "${value}"; it must be true or false.`, null);
  }

  integer(name: VariableName, fallback: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = /^\d{1,9}$/.test(value) ? Number.parseInt(value, 10) : Number.NaN;
    if (number >= least && number <= most) return number;
    return this.#refuse(
      `${name} is "${value}"; it must be a whole number from ${least} to ${most}.`,
      fallback,
    );
  }

  scale(): number {
    const value = this.text('THROTTLE_SCALE');
    if (value === null) return 1;
    const number = /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
    if (number >= 0) return number;
    return this.#refuse(
      `THROTTLE_SCALE is "${value}"; it must be a number such as 1 or 0.5, or 0 for no throttling.`,
      1,
    );
  }

  listen(name: VariableName, defaultPort: number): Listen {
    const fallback = { host: '127.0.0.1', port: defaultPort };
    const value = this.text(name);
    if (value === null) return fallback;
    const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(value);
    const host = match?.[1] ?? match?.[2];
    const port = Number.parseInt(match?.[3] ?? '', 10);
    if (
      host !== undefined &&
      port >= 1 &&
      port <= 65_535 &&
      (match?.[1] === undefined || isIP(host) === 6)
    ) {
      return { host, port };
    }
    return this.#refuse(
      `${name} is "${value}"; it must be host:port, such as 127.0.0.1:${defaultPort} or [::1]:${defaultPort}.`,
      fallback,
    );
  }

  origin(name: VariableName): string | null {
    const value = this.text(name);
    if (value === null) return null;
    return (
      parseOrigin(value) ??
      this.#refuse(
        `${name} is "${value}"; it must be an origin with its scheme, such as https://example.com, without a path.`,
        null,
      )
    );
  }

  origins(): string[] | null {
    const value = this.text('CORS_ALLOWED_ORIGINS');
    if (value === null) return null;
    const found = list(value).map((entry) => {
      if (entry.includes('*')) {
        // Specification, section 5: no wildcard while credentials are supported.
        return this.#refuse(
          `CORS_ALLOWED_ORIGINS contains "${entry}"; with cookies every origin must be named in full, never with *.`,
          null,
        );
      }
      return (
        parseOrigin(entry) ??
        this.#refuse(
          `CORS_ALLOWED_ORIGINS contains "${entry}"; each entry must be a full origin, such as https://example.com.`,
          null,
        )
      );
    });
    return [...new Set(found.filter((origin) => origin !== null))];
  }

  key(): Buffer | null {
    const value = this.text('APP_KEY');
    if (value === null) return null;
    const match = /^base64:([A-Za-z0-9+/]{43}=)$/.exec(value);
    if (match?.[1] !== undefined) return Buffer.from(match[1], 'base64');
    // Without the value, which is a secret.
    return this.#refuse(
      'APP_KEY must be "base64:" followed by 32 bytes in Base64, as `openssl rand -base64 32` prints them.',
      null,
    );
  }

  domain(): string | null {
    const value = this.text('SESSION_DOMAIN');
    if (value === null) return null;
    if (/^(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i.test(value) && isIP(value.slice(1)) === 0)
      return value.toLowerCase();
    return this.#refuse(
      `SESSION_DOMAIN is "${value}"; it must be the shared root domain with a leading dot, such as .example.com, or unset.`,
      null,
    );
  }

  databaseUrl(name: 'DATABASE_URL' | 'DATABASE_OWNER_URL'): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    const known = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
    if (known && url !== null && url.pathname.length > 1) return value;
    // It may hold a password, so it is not repeated.
    return this.#refuse(
      `${name} must look like postgresql://user:password@host:5432/database.`,
      null,
    );
  }

  /** Null when unset. */
  proxies(): string[] | null {
    const text = this.text('TRUSTED_PROXIES');
    if (text === null) return null;
    return list(text).filter((entry) => {
      const [address = '', bits, ...rest] = entry.split('/');
      const version = isIP(address);
      const most = version === 4 ? 32 : 128;
      const range =
        bits === undefined || (/^\d{1,3}$/.test(bits) && Number.parseInt(bits, 10) <= most);
      if (version !== 0 && range && rest.length === 0) return true;
      // A hop count or a wildcard would let callers forge their address.
      return this.#refuse(
        `TRUSTED_PROXIES contains "${entry}"; each entry must be an address or a range, such as 127.0.0.1 or 10.0.0.0/8.`,
        false,
      );
    });
  }

  /** Parsed by another function; a value that may contain a secret is left out of the error. */
  parsed<T>(
    name: VariableName,
    parse: (value: string) => T | null,
    complaint: (value: string) => string,
  ): T | null {
    const value = this.text(name);
    return value === null ? null : (parse(value) ?? this.#refuse(complaint(value), null));
  }

  /** Null unless both are set; one alone is a mistake. */
  providerClient(provider: 'GOOGLE' | 'FACEBOOK'): ProviderClient | null {
    const id = this.text(`${provider}_CLIENT_ID`);
    const secret = this.text(`${provider}_CLIENT_SECRET`);
    if (id !== null && secret !== null) return { id, secret };
    if (id === null && secret === null) return null;
    return this.#refuse(
      `${provider}_CLIENT_ID and ${provider}_CLIENT_SECRET belong together; set both or none.`,
      null,
    );
  }

  /** The address of a provider; only tests set it. */
  providerUrl<T extends string | null>(name: VariableName, fallback: T): string | T {
    const value = this.text(name);
    if (value === null) return fallback;
    if (this.text('APP_ENV')?.toLowerCase() === 'production') {
      return this.#refuse(`${name} is for tests; in production it must be unset.`, fallback);
    }
    if (URL.canParse(value)) return value.replace(/\/+$/, '');
    return this.#refuse(`${name} is "${value}"; it must be a web address.`, fallback);
  }

  admin(): { email: string | null; password: string | null } {
    const email = this.text('ADMIN_EMAIL');
    const password = this.#env['ADMIN_PASSWORD'] || null;
    if (email !== null && (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)) {
      this.#refuse(`ADMIN_EMAIL is "${email}"; it must be an email address.`, null);
    }
    if (password !== null && password.length < 8) {
      this.#refuse('ADMIN_PASSWORD must have at least 8 characters.', null);
    }
    return { email, password };
  }

  #refuse<T>(complaint: string, fallback: T): T {
    this.#complaints.push(complaint);
    return fallback;
  }
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** `https://example.com:8443/` → `https://example.com:8443`; null for anything but a bare origin. */
function parseOrigin(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const bare =
    /^\/*$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  return bare ? url.origin : null;
}
