/** The framework's schema compilers, deferred to the first request of each route, so that a start is fast. */
import buildValidators from '@fastify/ajv-compiler';
import buildSerializers from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';

/** Validation stops after this many errors. */
export const MAX_ERRORS = 20;

const customOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
  code: { process: stopEarly },
} as const;

/**
 * Ajv finds either one error or all of them, and a body can be made to have any number. Its generated code
 * counts them with `errors++`: there the validator throws what it has found at the limit, and for an array
 * that is too long before it visits the items.
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

/** By schema of the contract: several applications in a process share them, as in tests. */
const validatorOf = new WeakMap<object, Validate>();
const serializerOf = new WeakMap<object, Serialize>();

/** Call before adding any route or scope. */
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

/** Compiles on first use and is bounded by `MAX_ERRORS`. */
export function lazyValidator(compile: () => Validate): Validate {
  let compiled: Validate | undefined;
  const validate: Validate = (data) => {
    compiled ??= compile();
    // The framework reads the errors from the function itself.
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
