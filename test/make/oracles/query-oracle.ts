/**
 * What a list must hold, computed from plain records and the raw query, without code or ideas of the query slice. Slow
 * and obvious.
 */
export interface PlainRecord {
  readonly id: number
  readonly created_by: number
  readonly updated_by: number
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
  readonly data: Readonly<Record<string, unknown>>
}
export interface Around {
  /** The records that `client_id` refers to. */
  readonly clients: ReadonlyMap<number, PlainRecord>
}

const standard = ['id', 'created_by', 'updated_by', 'created_at', 'updated_at', 'version']

function lookUp(record: PlainRecord, path: string, around: Around): unknown {
  const [name, step] = path.split('.') as [string, string?]
  const value = standard.includes(name) ? (record as unknown as Record<string, unknown>)[name] : record.data[name]
  if (step === undefined) return value ?? null
  const target = around.clients.get(value as number)
  return target ? lookUp(target, step, around) : null
}

/** Text as the list of its code points. */
const codePoints = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) as number)

export function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') {
    const [left, right] = [codePoints(a), codePoints(b)]
    for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
      const [x, y] = [left[index] ?? -1, right[index] ?? -1]
      if (x !== y) return x - y
    }
    return 0
  }
  return Number(a) - Number(b)
}

/** Operators that never match a missing value. */
const passes: Readonly<Record<string, (value: never, operand: never) => boolean>> = {
  _eq: (value: unknown, operand: unknown) => value === operand,
  _lt: (value: unknown, operand: unknown) => order(value, operand) < 0,
  _lte: (value: unknown, operand: unknown) => order(value, operand) <= 0,
  _gt: (value: unknown, operand: unknown) => order(value, operand) > 0,
  _gte: (value: unknown, operand: unknown) => order(value, operand) >= 0,
  _in: (value: unknown, operand: unknown[]) => operand.includes(value),
  _between: (value: unknown, operand: [unknown, unknown]) =>
    order(value, operand[0]) >= 0 && order(value, operand[1]) <= 0,
  _contains: (value: string, operand: string) => value.includes(operand),
  _icontains: (value: string, operand: string) => value.toLowerCase().includes(operand.toLowerCase()),
  _starts_with: (value: string, operand: string) => value.startsWith(operand),
  _istarts_with: (value: string, operand: string) => value.toLowerCase().startsWith(operand.toLowerCase()),
  _ends_with: (value: string, operand: string) => value.endsWith(operand),
  _iends_with: (value: string, operand: string) => value.toLowerCase().endsWith(operand.toLowerCase()),
  _ieq: (value: string, operand: string) => value.toLowerCase() === operand.toLowerCase(),
}

function passesOperator(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '_neq':
      return !passesOperator(value, '_eq', operand)
    case '_nin':
      return !passesOperator(value, '_in', operand)
    case '_null':
      return (value === null) === operand
    case '_nnull':
      return (value !== null) === operand
    case '_empty':
      return (value === null || value === '') === operand
    case '_nempty':
      return (value !== null && value !== '') === operand
    default:
      return value !== null && (passes[operator] as (value: unknown, operand: unknown) => boolean)(value, operand)
  }
}

export function isMatch(record: PlainRecord, filter: Record<string, unknown>, around: Around): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === '_and') return (value as Record<string, unknown>[]).every((part) => isMatch(record, part, around))
    if (key === '_or') return (value as Record<string, unknown>[]).some((part) => isMatch(record, part, around))
    if (key === '_not') return !isMatch(record, value as Record<string, unknown>, around)
    const found = lookUp(record, key, around)
    if (value === null) return found === null
    if (Array.isArray(value)) return passesOperator(found, '_in', value)
    if (typeof value !== 'object') return passesOperator(found, '_eq', value)
    return Object.entries(value).every(([operator, operand]) => passesOperator(found, operator, operand))
  })
}

/** The ids of the whole list, in order. */
export function expectedIds(
  records: readonly PlainRecord[],
  query: { filter?: Record<string, unknown>; sort?: readonly string[] },
  around: Around,
): number[] {
  const sort = [...(query.sort ?? [])]
  if (sort.length === 0) sort.push('-id')
  if (!sort.some((key) => key === 'id' || key === '-id')) sort.push(sort.at(-1)?.startsWith('-') ? '-id' : 'id')
  const compared = (a: PlainRecord, b: PlainRecord): number => {
    for (const key of sort) {
      const path = key.replace(/^-/, '')
      const [left, right] = [lookUp(a, path, around), lookUp(b, path, around)]
      if (left === null && right === null) continue
      if (left === null) return 1
      if (right === null) return -1
      const result = order(left, right) * (key.startsWith('-') ? -1 : 1)
      if (result !== 0) return result
    }
    return 0
  }
  return records
    .filter((record) => isMatch(record, query.filter ?? {}, around))
    .sort(compared)
    .map(({ id }) => id)
}
