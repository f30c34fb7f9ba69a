/** Pure: the type of a proof by its content, since names and declared types are unreliable. */
export type ProofType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';

export const extensions: Readonly<Record<ProofType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** The bytes that `proofType` needs. */
export const SIGNATURE_BYTES = 16;
/** Of a PDF. */
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

/** Null for an unsupported type. */
export function proofType(bytes: Buffer): ProofType | null {
  return signatures.find((signature) => signature.matches(bytes))?.type ?? null;
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end);
}
