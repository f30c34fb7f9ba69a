/**
 * Every error that the rate providers document, byte for byte: the HTTP status
 * that it comes with and its body. Some are known to come with 200 as well.
 */
import type { RateProviderName } from '@cambist/contract/rate-settings';

export interface DocumentedError {
  readonly status: number;
  readonly body: string;
}

type Errors = Readonly<Record<string, DocumentedError>>;

function exchangerateApi(status: number, type: string): DocumentedError {
  return {
    status,
    body: `{\n"result": "error",\n"documentation": "https://www.exchangerate-api.com/docs",\n"terms_of_use": "https://www.exchangerate-api.com/terms",\n"error-type": "${type}"\n}`,
  };
}

function openExchangeRates(status: number, message: string, description: string): DocumentedError {
  const words = JSON.stringify(description);
  return {
    status,
    body: `{\n  "error": true,\n  "status": ${status},\n  "message": "${message}",\n  "description": ${words}\n}`,
  };
}

/** They come with 200. */
function apilayer(code: number, type: string, info: string): DocumentedError {
  const words = JSON.stringify(info);
  return {
    status: 200,
    body: `{"success":false,"error":{"code":${code},"type":"${type}","info":${words}}}`,
  };
}

const KEY_INFO =
  'You have not supplied a valid API Access Key. [Technical Support: support@apilayer.com]';
const MONTH_INFO =
  'Your monthly usage limit has been reached. Please upgrade your Subscription Plan.';
const PLAN_INFO =
  'Access Restricted - Your current Subscription Plan does not support this API Function.';

const apilayerErrors: Errors = {
  invalid_key: apilayer(101, 'invalid_access_key', KEY_INFO),
  missing_key: apilayer(101, 'missing_access_key', 'You have not supplied an API Access Key.'),
  inactive: apilayer(102, 'inactive_user', 'The user account is inactive.'),
  endpoint: apilayer(103, 'invalid_api_function', 'This API Function does not exist.'),
  quota: apilayer(104, 'usage_limit_reached', MONTH_INFO),
  quota_monthly: apilayer(104, 'monthly_usage_limit_reached', MONTH_INFO),
  plan: apilayer(105, 'function_access_restricted', PLAN_INFO),
  no_results: apilayer(
    106,
    'no_rates_available',
    'The current request did not return any results.',
  ),
  rate_limit: apilayer(106, 'rate_limit_reached', 'You have exceeded the maximum rate limitation.'),
  currencies: apilayer(
    202,
    'invalid_currency_codes',
    'You have provided one or more invalid Currency Codes. [Required format: currencies=EUR,USD,GBP,...]',
  ),
  date: apilayer(302, 'invalid_date', 'You have entered an invalid date.'),
  not_found: apilayer(404, '404_not_found', 'The requested resource does not exist.'),
  // The marketplace speaks differently of the same.
  marketplace: {
    status: 401,
    body: '{"error":{"code":"invalid_access_key","message":"You have not supplied a valid API Access Key."}}',
  },
  gateway: { status: 401, body: '{"message":"Invalid authentication credentials"}' },
  gateway_month: {
    status: 429,
    body: '{"message":"You have exceeded your monthly API request volume. Please upgrade your plan."}',
  },
};

const quoteErrors: Errors = {
  ...apilayerErrors,
  source: apilayer(
    201,
    'invalid_source_currency',
    'You have supplied an invalid Source Currency. [Example: source=EUR]',
  ),
};

const CURRENCYAPI_INFO =
  'For more information, see documentation: https://currencyapi.com/docs/status-codes';

function coingecko(status: number, code: number, message: string): DocumentedError {
  const words = JSON.stringify(message);
  return {
    status,
    body: `{"status":{"error_code":${code},"error_message":${words}}}`,
  };
}

export const documentedErrors: Readonly<Record<RateProviderName, Errors>> = {
  'exchangerate-api': {
    unsupported: exchangerateApi(404, 'unsupported-code'),
    malformed: exchangerateApi(400, 'malformed-request'),
    invalid_key: exchangerateApi(403, 'invalid-key'),
    inactive: exchangerateApi(403, 'inactive-account'),
    quota: exchangerateApi(429, 'quota-reached'),
    // Seen with 200, so the body alone tells it.
    quota_200: exchangerateApi(200, 'quota-reached'),
    plan: exchangerateApi(403, 'plan-upgrade-required'),
    no_data: exchangerateApi(404, 'no-data-available'),
  },
  openexchangerates: {
    invalid_key: openExchangeRates(
      401,
      'invalid_app_id',
      'Invalid App ID provided - please sign up at https://openexchangerates.org/signup, or contact support@openexchangerates.org.',
    ),
    missing_key: openExchangeRates(
      401,
      'missing_app_id',
      'No App ID provided - please sign up at https://openexchangerates.org/signup, or contact support@openexchangerates.org.',
    ),
    plan: openExchangeRates(
      429,
      'not_allowed',
      'Changing the API `base` currency is available for Developer, Enterprise and Unlimited plan clients.',
    ),
    quota: openExchangeRates(
      403,
      'access_restricted',
      'Access restricted for repeated over-use (status: 429), or other reason given in `description`.',
    ),
    base: openExchangeRates(400, 'invalid_base', 'Invalid `base` currency requested.'),
    not_available: openExchangeRates(
      400,
      'not_available',
      'Historical rates for the requested date are not available - please try a different date.',
    ),
    not_found: openExchangeRates(404, 'not_found', 'The requested route does not exist.'),
  },
  currencylayer: quoteErrors,
  'exchangerate-host': quoteErrors,
  fixer: {
    ...apilayerErrors,
    // As it was seen: without any `info`.
    plan: {
      status: 200,
      body: '{"success":false,"error":{"code":105,"type":"base_currency_access_restricted"}}',
    },
    https: apilayer(105, 'https_access_restricted', PLAN_INFO),
    base: apilayer(201, 'invalid_base_currency', 'You have entered an invalid base.'),
  },
  frankfurter: {
    not_found: { status: 404, body: '{"message":"not found"}' },
    unprocessable: { status: 422, body: '{"message":"bad currency pair"}' },
    unavailable: { status: 503, body: '{"message":"service unavailable"}' },
  },
  currencyapi: {
    invalid_key: { status: 401, body: '{"message":"Invalid authentication credentials"}' },
    plan: {
      status: 403,
      body: '{"message":"You are not allowed to use this endpoint, please upgrade your plan."}',
    },
    not_found: { status: 404, body: '{"message":"A requested endpoint does not exist"}' },
    base: {
      status: 422,
      body: `{"message":"Validation error","errors":{"base_currency":["The selected base_currency is invalid."]},"info":"${CURRENCYAPI_INFO}"}`,
    },
    currencies: {
      status: 422,
      body: `{"message":"Validation error","errors":{"currencies":["One of the selected currencies is invalid."]},"info":"${CURRENCYAPI_INFO}"}`,
    },
    date: {
      status: 422,
      body: `{"message":"Validation error","errors":{"date":["The date is not a valid date."]},"info":"${CURRENCYAPI_INFO}"}`,
    },
    rate_limit: { status: 429, body: '{"message":"You have hit your rate limit."}' },
    quota: { status: 429, body: '{"message":"You have hit your monthly limit."}' },
    server: { status: 500, body: '{"message":"Internal Server Error"}' },
  },
  coingecko: {
    missing_key: coingecko(
      401,
      10002,
      'API Key Missing. Please make sure you are using the right authentication method.',
    ),
    plan: coingecko(401, 10005, 'This request is limited to PRO API subscribers.'),
    pro_key: coingecko(
      400,
      10010,
      'If you are using Pro API key, please change your root URL from api.coingecko.com to pro-api.coingecko.com',
    ),
    demo_key: coingecko(
      400,
      10011,
      'If you are using Demo API key, please change your root URL from pro-api.coingecko.com to api.coingecko.com',
    ),
    // The same, one level deeper, as some routes answer it.
    nested: {
      status: 401,
      body: '{"error":{"status":{"timestamp":"2026-11-21T10:15:59.000+00:00","error_code":10002,"error_message":"API Key Missing"}}}',
    },
    flat: { status: 400, body: '{"error":"Missing parameter vs_currencies"}' },
    rate_limit: coingecko(
      429,
      429,
      "You've exceeded the Rate Limit. Please visit https://www.coingecko.com/en/api/pricing to subscribe to our API plans for higher rate limits.",
    ),
    quota: coingecko(429, 429, "You've exceeded your monthly call limit."),
    server: {
      status: 500,
      body: '{"status":{"error_code":500,"error_message":"Internal Server Error"}}',
    },
    cloudflare: {
      status: 429,
      body: '<!DOCTYPE html>\n<html lang="en-US"><head><title>Access denied | api.coingecko.com used Cloudflare to restrict access</title></head><body><h1>Error 1015</h1><p>You are being rate limited</p></body></html>',
    },
    firewall: {
      status: 403,
      body: '<!DOCTYPE html>\n<html lang="en-US"><head><title>Access denied</title></head><body>Error code: 1020</body></html>',
    },
  },
};
