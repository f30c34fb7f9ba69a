import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { feedFlags } from '@cambist/contract/feeds';
import { formats } from './formats.ts';
import type { Item } from './items.ts';

const huge = '999999999999999999999999.123456789012345678';
const item: Item = {
  pair: 'btc-to-cash-usd',
  send: 'btc',
  receive: 'cash-usd',
  from: 'BTC',
  to: 'CASHUSD',
  city: 'MSK',
  in: '1',
  out: '61250.500000000000000001',
  converter: { in: '1', out: '61400' },
  belowPercent: '0.25',
  withoutFixedFees: { in: '1', out: '61300' },
  sendFee: '0.0001',
  receiveFee: '5',
  reserve: huge,
  sendMin: '0.01',
  sendMax: '2',
  receiveMin: '600',
  receiveMax: '122000',
  lockMinutes: 30,
  flags: ['manual', 'verifying'],
};
const plain: Item = {
  ...item,
  pair: 'usd-to-btc',
  send: 'usd',
  receive: 'btc',
  from: 'USD<&>',
  to: 'BTC',
  city: null,
  in: '61500',
  out: '1',
  withoutFixedFees: { in: '61500', out: '1' },
  sendFee: null,
  receiveFee: null,
  flags: [],
};

describe('bestchange.xml', () => {
  it('is the classic format with an item per line', () => {
    assert.equal(
      formats['bestchange.xml'].write([item, plain]),
      `<?xml version="1.0" encoding="UTF-8"?>
<rates>
<item><from>BTC</from><to>CASHUSD</to><in>1</in><out>61250.500000000000000001</out><amount>${huge}</amount><minamount>0.01</minamount><maxamount>2</maxamount><floating>30</floating><city>MSK</city><param>manual, verifying</param></item>
<item><from>USD&lt;&amp;&gt;</from><to>BTC</to><in>61500</in><out>1</out><amount>${huge}</amount><minamount>0.01</minamount><maxamount>2</maxamount><floating>30</floating></item>
</rates>
`,
    );
  });
});

describe('bestchange-1.1.xml', () => {
  it('is EREF 1.1: fixed fees, flags as elements, the old limits at the end', () => {
    assert.equal(
      formats['bestchange-1.1.xml'].write([item]),
      `<?xml version="1.0" encoding="UTF-8"?>
<rates xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="https://docs.bestchange.biz/schema/1.1.xsd">
<item><from>BTC</from><to>CASHUSD</to><in>1</in><out>61300</out><amount>${huge}</amount><frommin>0.01</frommin><frommax>2</frommax><tomin>600</tomin><tomax>122000</tomax><fromfee type="abs">0.0001</fromfee><tofee type="abs">5</tofee><floating minutes="30"/><manual>true</manual><verifying>true</verifying><city>MSK</city><minamount>0.01</minamount><maxamount>2</maxamount></item>
</rates>
`,
    );
  });
});

describe('rates-1.3.json', () => {
  it('numbers the currencies and has the signed rate with every digit', () => {
    const other = { ...item, city: 'FNCH' };
    assert.equal(
      formats['rates-1.3.json'].write([item, other, { ...plain, from: 'USD' }]),
      `{"version":"1.3","currencies":{"list":{"1":"BTC","2":"CASHUSD","3":"USD"},"amounts":{"2":"${huge}","1":"${huge}"}},"exchange":{"1":{"to":{"2":{"xr":-61300,"amount":"${huge}","min":0.01,"max":2,"inFee":0.0001,"outFee":5,"options":{"manual":1,"ident":1},"cities":["MSK","FNCH"]}}},"3":{"to":{"1":{"xr":61500,"amount":"${huge}","min":0.01,"max":2}}}}}\n`,
    );
  });

  it('writes an even rate as 1', () => {
    const even = { ...plain, from: 'USD', withoutFixedFees: { in: '1', out: '1' } };
    const { exchange } = JSON.parse(formats['rates-1.3.json'].write([even]));
    assert.equal(exchange[1].to[2].xr, 1);
  });
});

describe('flags', () => {
  const every = { ...item, flags: [...feedFlags] };

  it('are in JSON 1.3 where the format has the same meaning', () => {
    const options = (flags: Item['flags']) =>
      JSON.parse(formats['rates-1.3.json'].write([{ ...item, flags }])).exchange[1].to[2].options;
    assert.deepEqual(options(feedFlags), { manual: 1, auth: 1, ident: 1 });
    assert.deepEqual(options(['reg']), { auth: 1 });
    for (const flag of ['auth', 'cardverify', 'juridical', 'card2card'] as const)
      assert.equal(options([flag]), undefined, flag);
  });

  it('are all in the XML files', () => {
    for (const file of ['bestchange.xml', 'bestchange-1.1.xml'] as const) {
      const text = formats[file].write([every]);
      for (const flag of feedFlags) assert.match(text, new RegExp(`\\b${flag}\\b`), file);
    }
  });
});

describe('rates.txt', () => {
  it('has a line for each direction and city', () => {
    assert.equal(
      formats['rates.txt'].write([item, { ...plain, from: 'USD' }]),
      `BTC;CASHUSD;1;61250.500000000000000001;${huge};MSK;\nUSD;BTC;61500;1;${huge};;\n`,
    );
  });
});
