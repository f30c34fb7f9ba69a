/**
 * What a proof is, told by its content alone: its name and the type that a
 * browser declares are what the sender's system made of it, and messengers
 * rename pictures without changing them. Pure.
 */
export type ProofType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';

/** Under which each is stored, and the ending of the name that people are shown. */
export const extensions: Readonly<Record<ProofType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** How many bytes `proofType` looks at. */
export const SIGNATURE_BYTES = 16;
/** Of a PDF. More than an operator would look through. */
export const MAX_PAGES = 200;

const signatures: readonly { type: ProofType; matches: (bytes: Buffer) => boolean }[] = [
  { type: 'image/jpeg', matches: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]) },
  {
    type: 'image/png',
    matches: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  },
  {
    type: 'image/webp',
    matches: (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP',
  },
  { type: 'application/pdf', matches: (bytes) => /^%PDF-[12]\.\d/.test(ascii(bytes, 0, 8)) },
];

/** The type by its first bytes, or null when it is none of ours. */
export function proofType(bytes: Buffer): ProofType | null {
  return signatures.find((signature) => signature.matches(bytes))?.type ?? null;
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end);
}
