/** Random queries over the table of `query-records.ts`, as a client would write them. */
import { pick, pools } from '../builders/lists/query-records.ts'

type Random = (below: number) => number
export interface RandomQuery {
  readonly filter: Record<string, unknown>
  readonly sort: readonly string[]
}

const textFields = ['title', 'long', 'note', 'source']
const standardValues: Readonly<Record<string, readonly unknown[]>> = {
  id: [1, 2, 10, 20, 21, 50, 1000, 3.5, -1],
  created_by: [1, 2, 9],
  updated_by: [1, 2],
  created_at: ['2026-01-01T00:00:10.000Z', '2026-01-01T00:01:00.000Z'],
  updated_at: ['2026-01-01T00:00:10.000Z', '2026-01-01T00:00:30.000Z'],
  version: [1],
}
const steps: Readonly<Record<string, readonly unknown[]>> = {
  'client_id.name': ['Ann', 'Bob', 'Zoë', 'b'],
  'client_id.tier': ['gold', 'lead'],
  'client_id.score': [1.5, 3, 0],
}
const values: Readonly<Record<string, readonly unknown[]>> = { ...pools, ...standardValues, ...steps }
const fields = Object.keys(values)
const compared = [
  '_eq',
  '_neq',
  '_lt',
  '_lte',
  '_gt',
  '_gte',
  '_in',
  '_nin',
  '_between',
  '_null',
  '_nnull',
  '_empty',
  '_nempty',
  'short',
  'short list',
  'null',
]
const texts = ['_contains', '_icontains', '_starts_with', '_istarts_with', '_ends_with']
/** Asked for by name only. */
const foldedTexts = ['_iends_with', '_ieq']

const valueOf = (random: Random, field: string): unknown =>
  pick(
    random,
    (values[field] as unknown[]).filter((value) => value !== undefined && value !== null),
  )

export function randomTest(random: Random, field = pick(random, fields), operator?: string): Record<string, unknown> {
  const isText = textFields.includes(field) || field === 'client_id.name' || field === 'client_id.tier'
  const chosen = operator ?? pick(random, isText ? [...compared, ...texts] : compared)
  switch (chosen) {
    case 'short':
      return { [field]: valueOf(random, field) }
    case 'null':
      return { [field]: null }
    case 'short list':
      return { [field]: [valueOf(random, field), valueOf(random, field)] }
    case '_in':
    case '_nin':
      return { [field]: { [chosen]: Array.from({ length: random(4) }, () => valueOf(random, field)) } }
    case '_between':
      return { [field]: { _between: [valueOf(random, field), valueOf(random, field)] } }
    case '_null':
    case '_nnull':
    case '_empty':
    case '_nempty':
      return { [field]: { [chosen]: random(3) > 0 } }
    default: {
      const value = valueOf(random, field)
      if (![...texts, ...foldedTexts].includes(chosen)) return { [field]: { [chosen]: value } }
      const text = [...String(value)]
      return { [field]: { [chosen]: text.slice(0, random(2) ? text.length : random(text.length + 1)).join('') } }
    }
  }
}

function randomTree(random: Random, depth: number): Record<string, unknown> {
  const kind = depth === 0 ? 0 : random(7)
  if (kind <= 2) return { ...randomTest(random), ...(random(4) === 0 && randomTest(random)) }
  const parts = (): Record<string, unknown>[] => Array.from({ length: random(4) }, () => randomTree(random, depth - 1))
  if (kind === 3) return { _and: parts() }
  if (kind === 4) return { _or: parts() }
  if (kind === 5) return { _not: randomTree(random, depth - 1) }
  const field = pick(random, fields)
  const one = randomTest(random, field, '_gte')[field] as object
  return { [field]: { ...one, ...(randomTest(random, field, '_lte')[field] as object) } }
}

export function randomQuery(random: Random): RandomQuery {
  const keys = Array.from(
    { length: pick(random, [0, 1, 1, 1, 2, 3]) },
    () => `${random(2) ? '-' : ''}${pick(random, fields)}`,
  )
  const sort = keys.filter(
    (key, index) => keys.findIndex((other) => other.replace('-', '') === key.replace('-', '')) === index,
  )
  if (random(4) === 0 && !sort.some((key) => key.endsWith('id') && !key.includes('client')))
    sort.push(random(2) ? 'id' : '-id')
  return { filter: random(8) === 0 ? {} : randomTree(random, 3), sort }
}
