/** Validates values outside a request, such as settings and seed data, with the same messages. */
import type { FastifySchemaValidationError } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { refusalOfErrors } from './invalid-fields.ts';

type FoundError = ReturnType<typeof Value.Errors>[number];

/**
 * Narrows `value` to the schema's type.
 * @throws {Refusal} 422 with messages by the fields' paths: `hero.title`.
 */
export function assertFits<S extends TSchema>(
  schema: S,
  value: unknown,
): asserts value is Static<S> {
  if (Value.Check(schema, value)) return;
  throw refusalOfErrors(Value.Errors(schema, value).flatMap(spread), value);
}

/** One error for each field, as the requests' validator reports them. */
function spread(error: FoundError): FastifySchemaValidationError[] {
  const { keyword, schemaPath, instancePath, message } = error;
  const same = { keyword, schemaPath, instancePath, message };
  // Repeated with the name in the object's own error.
  if (keyword === 'boolean') return [];
  if (keyword === 'required') {
    return error.params.requiredProperties.map((missingProperty) => ({
      ...same,
      params: { missingProperty },
    }));
  }
  if (keyword === 'additionalProperties') {
    return error.params.additionalProperties.map((additionalProperty) => ({
      ...same,
      params: { additionalProperty },
    }));
  }
  return [{ ...same, params: { ...error.params } as Record<string, string> }];
}
