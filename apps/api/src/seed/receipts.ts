/**
 * Receipts for the demo desk: pictures such as a bank's app gives, so that the
 * desk's viewer has something to look at. Nothing in them is anybody's.
 */
import sharp from 'sharp';

export interface ReceiptWords {
  readonly sender: string;
  readonly amount: string;
  readonly recipient: string;
  readonly reference: string;
  readonly at: Date;
}

const WIDTH = 640;
const HEIGHT = 900;
const QUALITY = 82;
const BANKS = [
  { name: 'Harbour & Hill Bank', colour: '#12355b' },
  { name: 'Banco Albada', colour: '#7a1f3d' },
  { name: 'Kestrel Digital', colour: '#0c6b58' },
  { name: 'Norrland Spar', colour: '#3b3f8f' },
] as const;

/** A JPEG of about 20 kB; `look` chooses the bank. */
export async function drawReceipt(words: ReceiptWords, look: number): Promise<Buffer> {
  const bank = BANKS[look % BANKS.length] ?? BANKS[0];
  const day = words.at.toISOString().slice(0, 10);
  const time = words.at.toISOString().slice(11, 16);
  const lines = [
    ['From', words.sender],
    ['To', words.recipient],
    ['Reference', words.reference],
    ['Date', `${day}, ${time} UTC`],
    ['Status', 'Executed'],
  ] as const;
  const rows = lines.map(([label, value], at) => {
    const y = 400 + at * 78;
    return `<text x="56" y="${y}" font-size="19" fill="#68707a">${label}</text>
      <text x="56" y="${y + 30}" font-size="25" fill="#1a1f26">${escaped(value)}</text>
      <line x1="56" x2="584" y1="${y + 46}" y2="${y + 46}" stroke="#e3e6ea"/>`;
  });
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"
      font-family="Inter, Helvetica, Arial, DejaVu Sans, sans-serif">
    <rect width="100%" height="100%" fill="#f4f5f7"/>
    <rect width="100%" height="132" fill="${bank.colour}"/>
    <text x="56" y="82" font-size="32" font-weight="bold" fill="#fff">${escaped(bank.name)}</text>
    <rect x="24" y="156" width="592" height="720" rx="18" fill="#fff"/>
    <text x="56" y="216" font-size="22" fill="#68707a">Payment confirmation</text>
    <text x="56" y="286" font-size="50" font-weight="bold" fill="${bank.colour}">${escaped(words.amount)}</text>
    <circle cx="68" cy="330" r="12" fill="#1f9d61"/>
    <path d="M62 330l5 5 8-10" fill="none" stroke="#fff" stroke-width="3"/>
    <text x="92" y="337" font-size="20" fill="#1f9d61">Sent</text>
    ${rows.join('\n')}
    <text x="56" y="842" font-size="16" fill="#9aa1a9">Generated for a demonstration. Not a bank document.</text>
  </svg>`;
  return sharp(Buffer.from(picture)).jpeg({ quality: QUALITY }).toBuffer();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
