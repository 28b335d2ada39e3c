import type { Key } from '../keys/key.ts'
import { slotAttributes } from '../slots.ts'
import { type Attribute, type Item, marshal } from '../values/marshal.ts'

/** A range of sort keys in one partition of the table or of a slot index. `from` and `to` are included. */
export interface KeyRange {
  readonly pk: string
  /** Name of a slot index; default: the table itself. */
  readonly index?: string
  readonly prefix?: string
  readonly from?: string
  readonly to?: string
  readonly reverse?: boolean
  readonly limit?: number
  /** The last key of the previous page. */
  readonly after?: Readonly<Record<string, string>>
  /** Default true. Eventually consistent reads cost half; slot indexes allow no other. */
  readonly consistent?: boolean
  /** Leaves out records that are being deleted; `limit` still counts them. */
  readonly livingOnly?: boolean
  /** The attributes to answer; default: all. */
  readonly attributes?: readonly string[]
}
export interface KeyRangePage {
  readonly items: readonly Item[]
  /** The key to continue after; undefined on the last page. */
  readonly last?: Readonly<Record<string, string>>
}

/** The input of the Query command that reads a range. */
export function rangeRequest(TableName: string, range: KeyRange) {
  const slot = range.index === undefined ? undefined : slotAttributes(range.index)
  const names: Record<string, string> = { '#p': slot?.partition ?? 'pk' }
  const values: Record<string, Attribute> = { ':p': range.pk }
  let condition = '#p = :p'
  const bounded = (text: string, more: Record<string, Attribute>): void => {
    names['#s'] = slot?.sort ?? 'sk'
    Object.assign(values, more)
    condition += ` AND ${text}`
  }
  if (range.prefix !== undefined) bounded('begins_with(#s, :prefix)', { ':prefix': range.prefix })
  else if (range.from !== undefined && range.to !== undefined)
    bounded('#s BETWEEN :from AND :to', { ':from': range.from, ':to': range.to })
  else if (range.from !== undefined) bounded('#s >= :from', { ':from': range.from })
  else if (range.to !== undefined) bounded('#s <= :to', { ':to': range.to })
  return {
    TableName,
    IndexName: range.index,
    KeyConditionExpression: condition,
    FilterExpression: range.livingOnly
      ? 'attribute_not_exists(deleted_at) AND attribute_not_exists(merged_into)'
      : undefined,
    ...projection(range.attributes, names),
    ExpressionAttributeValues: marshal(values),
    ScanIndexForward: !range.reverse,
    Limit: range.limit,
    ConsistentRead: slot ? undefined : (range.consistent ?? true),
    ExclusiveStartKey: range.after && marshal(range.after),
  }
}

/** The projection of a read. Every attribute is aliased as `#_<name>`, because many of our names are reserved words. */
export function projection(attributes: readonly string[] | undefined, names?: Record<string, string>) {
  if (!attributes) return names && { ExpressionAttributeNames: names }
  return {
    ProjectionExpression: attributes.map((name) => `#_${name}`).join(','),
    ExpressionAttributeNames: { ...names, ...Object.fromEntries(attributes.map((name) => [`#_${name}`, name])) },
  }
}

const partitionKeyBytes = 2048
const sortKeyBytes = 1024

/**
 * Whether an item can have this key. DynamoDB refuses to look for one that is too long, which a name in a request may
 * make it: a read answers that there is none.
 */
export const canExist = ({ pk, sk }: Key): boolean => fits(pk, partitionKeyBytes) && fits(sk, sortKeyBytes)

// A UTF-16 code unit takes three bytes at most.
const fits = (text: string, bytes: number): boolean => text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes
