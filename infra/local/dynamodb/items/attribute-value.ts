/** Attribute values in the JSON shapes of the wire, their sizes as AWS counts them, and their equality. */

export interface AttributeValue {
  S?: string
  N?: string
  /** base64 */
  B?: string
  BOOL?: boolean
  NULL?: boolean
  SS?: string[]
  NS?: string[]
  BS?: string[]
  L?: AttributeValue[]
  M?: Item
}

export type Item = Record<string, AttributeValue>
export type KeyType = 'S' | 'N' | 'B'
export type AttributeType = keyof AttributeValue

/** The type of a well-formed attribute value. */
export function typeOf(value: AttributeValue): AttributeType {
  for (const type in value) return type as AttributeType
  throw new TypeError('An attribute value without a type')
}

/** The size of an item in bytes: names and values (Developer Guide, "DynamoDB item sizes and formats"). */
export function itemSizeBytes(item: Item): number {
  let bytes = 0
  for (const name in item) bytes += Buffer.byteLength(name) + valueSizeBytes(item[name]!)
  return bytes
}

function valueSizeBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S)
  if (value.N !== undefined) return numberSizeBytes(value.N)
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + itemSizeBytes(value.M)
  if (value.L !== undefined) return value.L.reduce((sum, element) => sum + 1 + valueSizeBytes(element), 3)
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64')
  if (value.SS !== undefined) return value.SS.reduce((sum, element) => sum + Buffer.byteLength(element), 0)
  if (value.NS !== undefined) return value.NS.reduce((sum, element) => sum + numberSizeBytes(element), 0)
  if (value.BS !== undefined) return value.BS.reduce((sum, element) => sum + Buffer.byteLength(element, 'base64'), 0)
  return 1
}

/** One byte for two significant digits, one for the exponent, one for a minus sign. */
function numberSizeBytes(number: string): number {
  const significant = number.replace(/[-.]/g, '').replace(/^0+|0+$/g, '')
  return 1 + Math.ceil(significant.length / 2) + (number.startsWith('-') ? 1 : 0)
}

/** Whether two items hold the same data. The order of attributes and of set elements does not matter. */
export function sameItem(a: Item, b: Item): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => b[name] !== undefined && sameValue(a[name]!, b[name]))
}

export function sameValue(a: AttributeValue, b: AttributeValue): boolean {
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  switch (type) {
    case 'M':
      return sameItem(a.M!, b.M!)
    case 'L':
      return a.L!.length === b.L!.length && a.L!.every((element, i) => sameValue(element, b.L![i]!))
    case 'SS':
    case 'NS':
    case 'BS':
      return sameSet(a[type]!, b[type]!)
    default:
      return a[type] === b[type]
  }
}

function sameSet(a: string[], b: string[]): boolean {
  if (a.length !== b.length) return false
  const elements = new Set(b)
  return a.every((element) => elements.has(element))
}
