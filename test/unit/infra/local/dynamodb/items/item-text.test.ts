import { expect, it } from 'vitest'
import type { ValidRequest } from '../../../../../../infra/local/dynamodb/dynalite.ts'
import { itemText, needsHeadOnly, parseHead, textsOf } from '../../../../../../infra/local/dynamodb/items/item-text.ts'
import { readRequest } from '../../../../../../infra/local/dynamodb/requests/read-request.ts'
import { loadTable } from '../../../../../../infra/local/dynamodb/tables/table.ts'

const table = loadTable({
  description: {
    TableName: 'items',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: ['pk', 's01'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'one',
        KeySchema: [
          { AttributeName: 's01', KeyType: 'HASH' },
          { AttributeName: 'pk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  } as never,
})
const item = { s01: { S: 'x\n' }, pk: { S: 'a' }, data: { S: 'line\nbreak' } }

it('the stored text is the item as JSON, and its head has no index keys', () => {
  expect(JSON.parse(itemText(table, item))).toEqual(item)
  expect(parseHead(itemText(table, item))).toEqual({ pk: item.pk, data: item.data })
})

it.each([
  { pk: item.pk },
  { pk: item.pk, data: item.data },
  JSON.parse('{"pk":{"S":"a"},"__proto__":{"S":"p"},"s01":{"S":"x"}}'),
])('%j has no head apart', (whole) => {
  expect(parseHead(itemText(table, whole))).toEqual(whole)
})

const request = (more: object): ValidRequest => readRequest('Scan', { TableName: 'items', ...more })
it.each<[string, boolean, object]>([
  ['nothing projected', false, {}],
  ['other attributes', true, { ProjectionExpression: 'pk, body' }],
  ['part of another attribute', true, { ProjectionExpression: 'pk, body.s01' }],
  ['an index key', false, { ProjectionExpression: 'pk, s01' }],
  [
    'a filter on another attribute',
    true,
    { ProjectionExpression: 'pk', FilterExpression: 'attribute_not_exists(body)' },
  ],
  [
    'a filter on an index key',
    false,
    {
      ProjectionExpression: 'pk',
      FilterExpression: 'attribute_exists(body) AND NOT size(s01) > :n',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    },
  ],
])('%s: the head is enough: %s', (_, enough, more) => expect(needsHeadOnly(table, request(more))).toBe(enough))

it.each([
  'plain',
  '',
  'a\u0001000000000012',
  '"',
  '\\',
  'a\\',
  'a\\"',
  '\\\\"b',
  '","s01":{"S":"x"}',
  'line\nbreak',
  'h\u00e9 \u{1F600}',
])('texts are taken out of stored text as they went in: %j', (text) => {
  const whole = { pk: { S: text }, s01: { S: `${text}${text}` } }
  expect(textsOf(itemText(table, whole), ['s01', 'pk'])).toEqual(whole)
  expect(textsOf(itemText(table, whole), ['pk', 'gone'])).toBeUndefined()
})
