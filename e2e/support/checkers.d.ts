/** The parts of two checkers that the journeys use; they bring no types. */
declare module '@adobe/structured-data-validator' {
  export interface Issue {
    readonly severity: 'ERROR' | 'WARNING';
    readonly rootType: string;
    readonly issueMessage: string;
  }
  export default class Validator {
    validate(found: { readonly jsonld: Readonly<Record<string, unknown>> }): Promise<Issue[]>;
  }
}

declare module 'vnu-jar' {
  /** The path of the checker's archive. */
  const jar: string;
  export default jar;
}
