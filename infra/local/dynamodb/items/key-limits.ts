/** Rules for key attributes that dynalite lacks, or checks in characters where AWS counts UTF-8 bytes. */

import { invalid } from '../service-error.ts'
import type { KeyAttribute, Table } from '../tables/table.ts'
import { type AttributeValue, type Item, type KeyType, typeOf } from './attribute-value.ts'

const partitionKeyBytes = 2048
const sortKeyBytes = 1024

/** Throws when a part of the primary key is too long. Types and presence are already checked. */
export function checkKeySize(table: Table, key: Item): void {
  table.keys.forEach((attribute, i) => checkSize(key[attribute.name]![attribute.type]!, attribute.type, i === 0))
}

/** Throws when an index key of the item has the wrong type, is empty or too long. */
export function checkIndexKeys(table: Table, item: Item): void {
  for (const index of table.indexes) {
    for (let i = 0; i < index.keys.length; i++) {
      const attribute = index.keys[i]!
      const value = item[attribute.name]
      if (value !== undefined) checkIndexKey(index.name, attribute, value, i === 0)
    }
  }
}

function checkIndexKey(
  indexName: string,
  { name, type }: KeyAttribute,
  value: AttributeValue,
  isPartition: boolean,
): void {
  const text = value[type]
  if (text === undefined) {
    throw invalid(
      'One or more parameter values were invalid: ' +
        `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${indexName}`,
    )
  }
  if (text === '') {
    throw invalid(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. ` +
        `IndexName: ${indexName}, IndexKey: ${name}`,
    )
  }
  checkSize(text, type, isPartition)
}

function checkSize(text: string, type: KeyType, isPartition: boolean): void {
  if (type === 'N') return
  // A UTF-16 code unit takes three bytes at most.
  if (text.length * 3 <= sortKeyBytes) return
  const bytes = Buffer.byteLength(text, type === 'B' ? 'base64' : 'utf8')
  if (isPartition && bytes > partitionKeyBytes) {
    throw invalid(
      'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
    )
  }
  if (!isPartition && bytes > sortKeyBytes) {
    throw invalid(
      'One or more parameter values were invalid: ' +
        'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    )
  }
}
