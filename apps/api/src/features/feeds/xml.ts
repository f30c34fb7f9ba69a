/** Pure: the two XML files, one item a line, with the elements in the order that monitors know. */
import type { Item } from './items.ts';

/** BestChange's classic format. */
export function classicXml(items: readonly Item[]): string {
  return document('<rates>', items.map(classicItem));
}

/** EREF 1.1: each flag is an element. */
export function erefXml(items: readonly Item[]): string {
  const root =
    '<rates xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
    ' xsi:noNamespaceSchemaLocation="https://docs.bestchange.biz/schema/1.1.xsd">';
  return document(root, items.map(erefItem));
}

function document(root: string, items: readonly string[]): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', root, ...items, '</rates>'];
  return `${lines.join('\n')}\n`;
}

function classicItem(item: Item): string {
  return record([
    element('from', item.from),
    element('to', item.to),
    element('in', item.in),
    element('out', item.out),
    element('amount', item.reserve),
    element('minamount', item.sendMin),
    element('maxamount', item.sendMax),
    element('floating', String(item.lockMinutes)),
    ...(item.city === null ? [] : [element('city', item.city)]),
    ...(item.flags.length === 0 ? [] : [element('param', item.flags.join(', '))]),
  ]);
}

function erefItem(item: Item): string {
  const { sendFee, receiveFee, city } = item;
  return record([
    element('from', item.from),
    element('to', item.to),
    element('in', item.withoutFixedFees.in),
    element('out', item.withoutFixedFees.out),
    element('amount', item.reserve),
    element('frommin', item.sendMin),
    element('frommax', item.sendMax),
    element('tomin', item.receiveMin),
    element('tomax', item.receiveMax),
    ...(sendFee === null ? [] : [element('fromfee', sendFee, ' type="abs"')]),
    ...(receiveFee === null ? [] : [element('tofee', receiveFee, ' type="abs"')]),
    `<floating minutes="${item.lockMinutes}"/>`,
    ...item.flags.map((flag) => element(flag, 'true')),
    ...(city === null ? [] : [element('city', city)]),
    // Without these two monitors show no minimum.
    element('minamount', item.sendMin),
    element('maxamount', item.sendMax),
  ]);
}

function record(elements: readonly string[]): string {
  return `<item>${elements.join('')}</item>`;
}

function element(name: string, text: string, attributes = ''): string {
  return `<${name}${attributes}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
