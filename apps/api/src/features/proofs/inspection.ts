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

/** The type by content, or null when it is none of ours. */
export function proofType(bytes: Buffer): ProofType | null {
  return signatures.find((signature) => signature.matches(bytes))?.type ?? null;
}

/** The end mark stands within the last kilobyte (ISO 32000-1, annex H.3, note 18). */
const TAIL_BYTES = 1024;
const activeNames = /\/(JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA)(?![A-Za-z0-9])/;

export type PdfFault = 'broken' | 'active';

/**
 * Refuses PDFs that are cut off or carry scripts, programs or attachments.
 * Its limit: names inside compressed object streams are not seen. That is why
 * a PDF is also served for download only, under a sandboxing policy.
 */
export function pdfFault(bytes: Buffer): PdfFault | null {
  if (!bytes.subarray(-TAIL_BYTES).includes('%%EOF')) return 'broken';
  // `#61` is `a` in a name: decoded first, or /J#61vaScript would pass.
  const text = bytes
    .toString('latin1')
    .replace(/#([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return activeNames.test(text) ? 'active' : null;
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end);
}
