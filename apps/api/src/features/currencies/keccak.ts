/** Keccak-256 of Ethereum, with the padding before SHA-3, which Node's crypto does not have. */
const MASK = (1n << 64n) - 1n;
const RATE_BYTES = 136;
const ROUNDS = 24;

/** One block, which is enough for an address. @throws RangeError from 136 bytes on */
export function keccak256(message: Buffer): Buffer {
  if (message.length >= RATE_BYTES) throw new RangeError('At most 135 bytes.');
  const block = Buffer.alloc(200);
  message.copy(block);
  block.writeUInt8(0x01, message.length);
  block.writeUInt8(block.readUInt8(RATE_BYTES - 1) | 0x80, RATE_BYTES - 1);
  const state = Array.from({ length: 25 }, (_, lane) => block.readBigUInt64LE(lane * 8));
  permute(state);
  const digest = Buffer.alloc(32);
  state.slice(0, 4).forEach((lane, at) => digest.writeBigUInt64LE(lane, at * 8));
  return digest;
}

/** FIPS 202, 3.2: theta, rho, pi, chi and iota, 24 times. */
function permute(state: bigint[]): void {
  const at = (lane: number) => state[lane] ?? 0n;
  let feedback = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const columns = [0, 1, 2, 3, 4].map((x) =>
      [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(x + y), 0n),
    );
    for (let lane = 0; lane < 25; lane += 1) {
      state[lane] =
        at(lane) ^ (columns[(lane + 4) % 5] ?? 0n) ^ rotate(columns[(lane + 1) % 5] ?? 0n, 1);
    }
    let [x, y] = [1, 0];
    let moving = at(1);
    for (let step = 0; step < 24; step += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = at(x + 5 * y);
      state[x + 5 * y] = rotate(moving, (((step + 1) * (step + 2)) / 2) % 64);
      moving = next;
    }
    for (let row = 0; row < 25; row += 5) {
      const lanes = [0, 1, 2, 3, 4].map((column) => at(row + column));
      for (let column = 0; column < 5; column += 1) {
        const [one = 0n, two = 0n] = [lanes[(column + 1) % 5], lanes[(column + 2) % 5]];
        state[row + column] = (lanes[column] ?? 0n) ^ (~one & MASK & two);
      }
    }
    for (let bit = 0; bit <= 6; bit += 1) {
      if (feedback & 1) state[0] = at(0) ^ (1n << BigInt((1 << bit) - 1));
      feedback = (feedback << 1) ^ (feedback & 0x80 ? 0x171 : 0);
    }
  }
}

function rotate(lane: bigint, bits: number): bigint {
  const count = BigInt(bits);
  return ((lane << count) | (lane >> (64n - count))) & MASK;
}
