/**
 * A software authenticator: creates ES256 credentials and signs challenges like a browser. Attestation is "none", as
 * the service requests.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Json } from '#test/client.ts';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export interface Manners {
  /** The origin of the page. */
  readonly origin?: string;
  /** Whether the device has verified its user. */
  readonly verified?: boolean;
  /** The counter of the device. */
  readonly counter?: number;
}

export class Authenticator {
  readonly id = randomBytes(32);
  readonly #key: KeyObject;
  readonly #point: { readonly x: Buffer; readonly y: Buffer };
  #userHandle = '';
  #counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  /** The answer to `navigator.credentials.create`. */
  create(options: Json, manners: Manners = {}): Json {
    this.#userHandle = options.user.id;
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      this.#coseKey(),
    ]);
    const data = this.#data(options.rp.id, HAS_CREDENTIAL, manners, credential);
    const attestation = Buffer.concat([
      // { "fmt": "none", "attStmt": {}, "authData": … } in CBOR.
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([data.length >> 8, data.length & 255]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', options, manners).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to `navigator.credentials.get`. */
  get(options: Json, manners: Manners = {}): Json {
    this.#counter = manners.counter ?? this.#counter + 1;
    const data = this.#data(options.rpId, 0, manners);
    const client = clientData('webauthn.get', options, manners);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
      userHandle: this.#userHandle,
    });
  }

  #answer(response: Json): Json {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #data(rpId: string, flags: number, { verified = true }: Manners, credential?: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags | PRESENT | (verified ? VERIFIED : 0)]),
      counter,
      credential ?? Buffer.alloc(0),
    ]);
  }

  /** { kty: EC2, alg: ES256, crv: P-256, x, y } in CBOR. */
  #coseKey(): Buffer {
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      this.#point.x,
      Buffer.from('225820', 'hex'),
      this.#point.y,
    ]);
  }
}

function clientData(type: string, { challenge }: Json, { origin }: Manners): Buffer {
  const page = origin ?? 'http://localhost:4000';
  return Buffer.from(JSON.stringify({ type, challenge, origin: page, crossOrigin: false }));
}
