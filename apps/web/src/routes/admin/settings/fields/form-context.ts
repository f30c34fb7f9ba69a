/** What every field of a settings form needs. */
import { createContext } from 'svelte';
import type { FieldErrors } from '#lib/forms/form-words.ts';
import type { Choice } from '#lib/ui/NativeSelect.svelte';
import type { Labels } from '../form.ts';

interface FormContext {
  readonly labels: Labels;
  readonly errors: FieldErrors | undefined;
  /** The choices of a field that names a record: currencies, or legal pages. */
  readonly records: readonly Choice[];
  /** Rows were moved or removed: the paths of errors no longer fit. */
  readonly onmoved: () => void;
}

export const [useForm, provideForm] = createContext<FormContext>();
