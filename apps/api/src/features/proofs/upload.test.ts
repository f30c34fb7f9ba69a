import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import type { Client } from '#test/client.ts';
import {
  create,
  passPayBy,
  picture,
  proofFiles,
  startTestDesk,
  upload,
} from '#test/factories/exchange.ts';
import { onePage, plainPdf } from '#test/factories/pdf.ts';

const { api, admin } = await startTestDesk({ after });
const { client: owner } = await api.asMember();
const { client: stranger } = await api.asMember();

const onDisk = () => proofFiles(api);
const pathOf = (number: string) => `/api/exchanges/${number}/proofs`;
const jpeg = { name: 'receipt.jpg', type: 'image/jpeg' };
const LIMIT = 5 * 1024 * 1024;

const { number } = await create(owner);
const send = (
  bytes: Uint8Array,
  words: Partial<typeof jpeg> = {},
  field = 'proof',
  client: Client = owner,
) => client.upload(pathOf(number), field, { bytes, ...jpeg, ...words });

/** A valid picture, enlarged with ignored data. */
async function pictureOf(bytes: number): Promise<Buffer> {
  const small = await picture();
  return Buffer.concat([small, Buffer.alloc(bytes - small.byteLength)]);
}

describe('POST /api/exchanges/{number}/proofs', () => {
  it('refuses what is too large, of the wrong type or in the wrong field, and keeps nothing of it (422)', async () => {
    const real = await picture();
    const cases: [string, Awaited<ReturnType<typeof send>>][] = [
      [
        'The proof must not be greater than 5120 kilobytes.',
        await send(await pictureOf(LIMIT + 1)),
      ],
      [
        'The proof must be a file of type: jpeg, png, webp, pdf.',
        await send(Buffer.from('MZ\x90\0 this program'), { name: 'receipt.exe' }),
      ],
      [
        'The proof is damaged, or is not the PNG file that its name says. Save it again, or take a screenshot.',
        await send(Buffer.from('\x7fELF\x02\x01\x01 another'), {
          name: 'receipt.png',
          type: 'image/png',
        }),
      ],
      [
        'The proof is damaged, or is not the PDF file that its name says. Save it again, or take a screenshot.',
        await send(Buffer.from('<script>alert(1)</script>'), {
          name: 'evil.pdf',
          type: 'application/pdf',
        }),
      ],
      ['The proof field is required.', await send(real, {}, 'file')],
      ['The proof is empty.', await send(Buffer.alloc(0))],
      [
        'The proof could not be read as an image. Take a new picture or screenshot.',
        await send(real.subarray(0, 300)),
      ],
      [
        'The proof is not a complete PDF. Save it again and upload the new file.',
        await send(Buffer.from('%PDF-1.7\nhalf'), { name: 'a.pdf', type: 'application/pdf' }),
      ],
      [
        'The proof must not contain scripts or attachments. Print it to a new PDF, or take a screenshot.',
        await send(Buffer.from('%PDF-1.7\n/JavaScript\n%%EOF'), {
          name: 'a.pdf',
          type: 'application/pdf',
        }),
      ],
    ];
    for (const [message, answer] of cases) {
      assert.equal(answer.status, 422, message);
      assert.deepEqual(answer.body.errors, { proof: [message] });
    }
    assert.deepEqual(onDisk(), []);
  });

  it('refuses a picture that would swell to more than 40 megapixels (422)', async () => {
    const bomb = await sharp({
      create: { width: 8000, height: 6000, channels: 3, background: 'white' },
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    assert.ok(bomb.byteLength < LIMIT);
    const answer = await send(bomb, { name: 'a.png', type: 'image/png' });
    assert.equal(answer.status, 422);
    assert.deepEqual(onDisk(), []);
  });

  it('takes exactly 5 MiB', async () => {
    const { number: other } = await create(owner);
    const bytes = await pictureOf(LIMIT);
    const answer = await owner.upload(pathOf(other), 'proof', { bytes, ...jpeg });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.data.size_bytes, LIMIT);
  });

  it('refuses strangers (404), guests (401), another content type (415) and a missing token (419)', async () => {
    const real = await picture();
    const files = onDisk().length;
    assert.equal((await send(real, {}, 'proof', stranger)).status, 404);
    assert.equal((await send(real, {}, 'proof', api.client())).status, 401);
    assert.equal((await owner.post(pathOf(number), { proof: 'x' })).status, 415);
    const bare = await owner.upload(
      pathOf(number),
      'proof',
      { bytes: real, ...jpeg },
      { headers: { 'x-xsrf-token': 'x' } },
    );
    assert.equal(bare.status, 419);
    assert.equal(onDisk().length, files);
  });

  it('keeps the original and a copy without metadata; the same file again is the same proof', async () => {
    const bytes = await picture();
    const proof = await upload(owner, number, bytes);
    assert.deepEqual(
      [proof.name, proof.content_type, proof.size_bytes],
      ['receipt.jpg', 'image/jpeg', bytes.byteLength],
    );
    const files = onDisk().length;
    assert.deepEqual(await upload(owner, number, bytes), proof);
    assert.equal(onDisk().length, files, 'the second copy is gone');
    assert.ok((await sharp(bytes).metadata()).exif, 'the upload carries metadata');
    const shown = await owner.get(`${pathOf(number)}/${proof.id}/file`);
    assert.equal((await sharp(shown.bytes).metadata()).exif, undefined);
    const original = await admin.get(`/api/admin/proofs/${proof.id}/file`, {
      query: { original: 'true' },
    });
    assert.ok(original.bytes.equals(bytes));
  });

  it('accepts PNG, WebP and PDF, and names in any script', async () => {
    const { number: other } = await create(owner);
    const image = sharp({ create: { width: 9, height: 9, channels: 4, background: '#00000000' } });
    for (const [bytes, name, type] of [
      [await image.clone().png().toBuffer(), '..\\..\\квитанция "1"\u202e.png', 'image/png'],
      [await image.clone().webp().toBuffer(), 'paste', 'image/webp'],
      [plainPdf(onePage()), 'statement.pdf', 'application/pdf'],
    ] as const) {
      const answer = await owner.upload(pathOf(other), 'proof', {
        bytes,
        name: name.replaceAll('"', "'"),
        type,
      });
      assert.equal(answer.status, 201, `${name}: ${answer.text}`);
      assert.equal(answer.body.data.content_type, type);
      assert.ok(!/[\\/\u202e]/.test(answer.body.data.name), answer.body.data.name);
      const file = await owner.get(`${pathOf(other)}/${answer.body.data.id}/file`);
      assert.equal(file.headers['content-type'], type === 'application/pdf' ? type : 'image/jpeg');
      assert.match(
        String(file.headers['content-disposition']),
        type === 'application/pdf' ? /^attachment; / : /^inline; /,
      );
    }
  });

  it('recognises the type by the content, whatever the name and declared type', async () => {
    const { number: other } = await create(owner);
    const image = sharp({ create: { width: 9, height: 9, channels: 3, background: '#204060' } });
    for (const [bytes, name, type, found, shown] of [
      [
        await image.clone().webp().toBuffer(),
        'receipt.jpg',
        'image/jpeg',
        'image/webp',
        'receipt.webp',
      ],
      [await image.clone().png().toBuffer(), 'IMG-1.jpeg', 'image/jpeg', 'image/png', 'IMG-1.png'],
      [
        await image.clone().jpeg().toBuffer(),
        'scan.pdf',
        'application/pdf',
        'image/jpeg',
        'scan.jpg',
      ],
    ] as const) {
      const answer = await owner.upload(pathOf(other), 'proof', { bytes, name, type });
      assert.equal(answer.status, 201, `${name}: ${answer.text}`);
      const proof = answer.body.data;
      assert.deepEqual([proof.content_type, proof.name], [found, shown]);
      const { stored_name } = await api.db
        .selectFrom('proofs')
        .select('stored_name')
        .where('id', '=', proof.id)
        .executeTakeFirstOrThrow();
      assert.ok(stored_name.endsWith(shown.slice(shown.lastIndexOf('.'))), stored_name);
      const original = await admin.get(`/api/admin/proofs/${proof.id}/file`, {
        query: { original: 'true' },
      });
      assert.equal(original.headers['content-type'], found);
      assert.ok(original.bytes.equals(bytes));
    }
  });

  it('takes five, and none once the exchange is over or its time has passed (409)', async () => {
    const full = await create(owner);
    for (let count = 0; count < 5; count += 1) await upload(owner, full.number);
    const files = onDisk().length;
    const sixth = await owner.upload(pathOf(full.number), 'proof', {
      bytes: await picture(),
      ...jpeg,
    });
    assert.deepEqual([sixth.status, sixth.body.code], [409, 'too_many_proofs']);
    await owner.post(`/api/exchanges/${full.number}/cancellation`, { version: 1 }, { key: true });
    const over = await owner.upload(pathOf(full.number), 'proof', {
      bytes: await picture(),
      ...jpeg,
    });
    assert.deepEqual([over.status, over.body.code], [409, 'exchange_not_payable']);
    await passPayBy(api, number);
    const late = await send(await picture());
    assert.deepEqual([late.status, late.body.code], [409, 'exchange_not_payable']);
    assert.equal(onDisk().length, files);
  });

  it('is the same proof when its file comes again, also when no other would be taken', async () => {
    const full = await create(owner);
    for (let count = 0; count < 4; count += 1) await upload(owner, full.number);
    const fifth = { bytes: await picture(), ...jpeg };
    const sendFifth = () => owner.upload(pathOf(full.number), 'proof', fifth);
    const first = await sendFifth();
    const files = onDisk().length;
    const again = await sendFifth();
    assert.deepEqual([again.status, again.body.data], [201, first.body.data], again.text);
    await owner.post(`/api/exchanges/${full.number}/cancellation`, { version: 1 }, { key: true });
    const over = await sendFifth();
    assert.deepEqual([over.status, over.body.data], [201, first.body.data], over.text);
    const other = await owner.upload(pathOf(full.number), 'proof', {
      bytes: await picture(),
      ...jpeg,
    });
    assert.deepEqual([other.status, other.body.code], [409, 'exchange_not_payable']);
    assert.equal(onDisk().length, files);
  });

  it('never takes more than five, also when they come at once', async () => {
    const { client } = await api.asMember();
    const { number: crowded } = await create(client);
    const before = onDisk().length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () =>
        client.upload(pathOf(crowded), 'proof', { bytes: await picture(), ...jpeg }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [201, 201, 201, 201, 201, 409, 409, 409],
    );
    assert.equal(onDisk().length, before + 10, 'an original and a copy of each of the five');
  });
});
