/**
 * What the built server reads from its environment at the start; nothing of it is in the build. The
 * defaults are those of `npm start`.
 */
import { defineEnvVars } from '@sveltejs/kit/env';

function origin(name: string, fallback: string) {
  return (value: string | undefined): string => {
    const text = value === undefined || value === '' ? fallback : value;
    if (!URL.canParse(text)) throw new Error(`${name} must be an address such as ${fallback}.`);
    return new URL(text).origin;
  };
}

export const variables = defineEnvVars({
  API_URL: {
    public: true,
    description: "The API's public origin: the browser calls it.",
    schema: origin('API_URL', 'http://localhost:8000'),
  },
  API_INTERNAL_URL: {
    description: "Where this server reaches the API; API_URL's value when unset.",
    schema: (value: string | undefined): string =>
      origin('API_INTERNAL_URL', process.env['API_URL'] || 'http://localhost:8000')(value),
  },
  ORIGIN: {
    description: "This site's public origin, the same as the API's FRONTEND_URL.",
    schema: origin('ORIGIN', 'http://localhost:4000'),
  },
});
