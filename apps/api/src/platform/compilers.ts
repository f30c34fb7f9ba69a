/**
 * The framework's own compilers of schemas, each put off until its route is first asked:
 * together they take much of a start, which rarely serves all routes soon.
 */
import buildValidators from '@fastify/ajv-compiler';
import buildSerializers from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';

/** No coercion and no dropping of fields; see `validation.ts`. */
const customOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
} as const;

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

/** To be called before any route or scope is added. */
export function compileLazily(app: FastifyInstance): void {
  app.setValidatorCompiler<object>(({ schema }) => lazyValidator(() => compileValidator(schema)));
  app.setSerializerCompiler<unknown>(({ schema }) =>
    lazySerializer(() => compileSerializer(schema)),
  );
}

function lazyValidator(compile: () => Validate): Validate {
  let compiled: Validate | undefined;
  const validate: Validate = (data) => {
    compiled ??= compile();
    const fits = compiled(data);
    // The framework reads from the function itself what does not fit, before anything else runs.
    validate.errors = compiled.errors ?? null;
    return fits;
  };
  return validate;
}

function lazySerializer(compile: () => Serialize): Serialize {
  let compiled: Serialize | undefined;
  return (data) => (compiled ??= compile())(data);
}
