/**
 * The framework's own compilers of schemas, each put off until its route is first asked:
 * together they take much of a start, which rarely serves all routes soon.
 */
import buildValidators from '@fastify/ajv-compiler';
import buildSerializers from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';

/** One request is told of this many errors at most, and no more are looked for. */
export const MAX_ERRORS = 20;

/** No coercion and no dropping of fields; see `validation.ts`. */
const customOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
  code: { process: stopEarly },
} as const;

/**
 * Ajv finds either one error or all of them, however many a body was made to have. Its code counts
 * each with `errors++`: there a validator ends by throwing what it has found, at the limit, and at
 * an array that is too long before its items are visited.
 */
function stopEarly(code: string): string {
  const isEnough = `++errors >= ${MAX_ERRORS} || vErrors[vErrors.length - 1].keyword === 'maxItems'`;
  return code.replaceAll('errors++;', `if (${isEnough}) throw vErrors;`);
}

const validators = buildValidators()({}, { customOptions });
const serializers = buildSerializers()({}, {});

type Validate = ReturnType<Parameters<FastifyInstance['setValidatorCompiler']>[0]>;
type Serialize = ReturnType<Parameters<FastifyInstance['setSerializerCompiler']>[0]>;

/** @throws {Error} where the schema cannot be compiled */
export function compileValidator(schema: object): Validate {
  return validators({ schema }) as Validate;
}

/** @throws {Error} where the schema cannot be compiled */
export function compileSerializer(schema: unknown): Serialize {
  return serializers({ schema, method: '', url: '', httpStatus: '' });
}

/** Of the schemas of the contract, which several applications in a process share, as tests have them. */
const validatorOf = new WeakMap<object, Validate>();
const serializerOf = new WeakMap<object, Serialize>();

/** To be called before any route or scope is added. */
export function compileLazily(app: FastifyInstance): void {
  app.setValidatorCompiler<object>(({ schema }) =>
    once(validatorOf, schema, () => lazyValidator(() => compileValidator(schema))),
  );
  app.setSerializerCompiler<object>(({ schema }) =>
    once(serializerOf, schema, () => lazySerializer(() => compileSerializer(schema))),
  );
}

function once<T>(made: WeakMap<object, T>, schema: object, make: () => T): T {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const value = make();
  made.set(schema, value);
  return value;
}

/** As it stands before the framework: compiled when first asked, and bounded by `MAX_ERRORS`. */
export function lazyValidator(compile: () => Validate): Validate {
  let compiled: Validate | undefined;
  const validate: Validate = (data) => {
    compiled ??= compile();
    // The framework reads from the function itself what does not fit, before anything else runs.
    try {
      const fits = compiled(data);
      validate.errors = compiled.errors ?? null;
      return fits;
    } catch (thrown) {
      // See `stopEarly`.
      if (!Array.isArray(thrown)) throw thrown;
      validate.errors = thrown;
      return false;
    }
  };
  return validate;
}

function lazySerializer(compile: () => Serialize): Serialize {
  let compiled: Serialize | undefined;
  return (data) => (compiled ??= compile())(data);
}
