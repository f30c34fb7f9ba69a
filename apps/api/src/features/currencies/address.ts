/**
 * Pure: addresses on a chain, with every checksum verified, since a payment to a mistyped address is
 * lost: base58check (Bitcoin, TRON, Litecoin, Dogecoin), bech32 and bech32m (segwit), EIP-55
 * (Ethereum). A field's pattern selects the chains.
 */
import { createHash } from 'node:crypto';
import { keccak256 } from './keccak.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** The trimmed address; null for an invalid one. */
export function readAddress(text: string): string | null {
  const address = text.trim();
  if (!/^[A-Za-z0-9][A-Za-z0-9:_.-]{19,119}$/.test(address)) return null;
  if (/^0x/i.test(address)) return isEthereum(address) ? address : null;
  if (/^(bc|tb|ltc)1/i.test(address)) return isSegwit(address) ? address : null;
  if (/^[13TLMD][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(address))
    return isBase58Check(address) ? address : null;
  return address;
}

/** EIP-55: the case of each character follows the hash. A single case has no checksum. */
function isEthereum(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false;
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak256(Buffer.from(lower, 'ascii')).toString('hex');
  return [...digits].every(
    (digit, at) => digit === ((hash[at] ?? '0') >= '8' ? digit.toUpperCase() : digit.toLowerCase()),
  );
}

/** 25 bytes, the last four of which are the start of a double SHA-256 of the others. */
function isBase58Check(address: string): boolean {
  const value = [...address].reduce((sum, digit) => sum * 58n + BigInt(BASE58.indexOf(digit)), 0n);
  const hex = value.toString(16);
  if (hex.length > 50) return false;
  const bytes = Buffer.from(hex.padStart(50, '0'), 'hex');
  const sha256 = (data: Buffer) => createHash('sha256').update(data).digest();
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21));
}

/** BIP 173 and BIP 350: version 0 ends in bech32's checksum, later versions in bech32m's. */
function isSegwit(address: string): boolean {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return false;
  const [prefix = '', data = ''] = address.toLowerCase().split('1', 2);
  const values = [...data].map((digit) => BECH32.indexOf(digit));
  if (data.length < 14 || values.includes(-1) || address.length > 90) return false;
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  return polymod([...expanded, ...values]) === (values[0] === 0 ? 1 : 0x2bc830a3);
}

function polymod(values: readonly number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  return values.reduce((checksum, value) => {
    const next = ((checksum & 0x1ffffff) << 5) ^ value;
    return generators.reduce(
      (sum, generator, bit) => (((checksum >>> 25) >> bit) & 1 ? sum ^ generator : sum),
      next,
    );
  }, 1);
}
