import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { chunkIds } from '../../columns/chunk.ts'
import { columnTest } from '../../columns/predicate.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import { prefixOf } from '../../columns/vector/prefix.ts'
import type { Expression, QueryField, Test } from '../grammar/expression.ts'
import { peopleTarget } from '../grammar/field.ts'
import type { Condition } from './apply-condition.ts'
import { longTextsOf } from './columns-needed.ts'
import { type KeySource, ownKeys } from './keys/key-source.ts'
import { type InnerKeys, referenceKeys } from './keys/reference-keys.ts'
import { readNames } from './people.ts'
import { selectChunks } from './select.ts'

const everyRecord: Condition = { kind: 'constant', passes: true }

/**
 * Turns the expressions and fields of a query into conditions and keys on columns. What they ask of referenced records
 * is evaluated on the columns of these first.
 */
export function createSources(
  store: Pick<Store, 'getMany'>,
  tenant: Tenant,
  viewOf: (model: string) => ColumnView,
  turn: () => Promise<void> | undefined,
) {
  const visible = new Map<string, Promise<Uint8Array>>()
  const names = new Map<string, Promise<ReadonlyMap<number, string>>>()

  async function conditionOn(model: string, expression: Expression): Promise<Condition> {
    switch (expression.kind) {
      case 'all':
      case 'any': {
        const of: Condition[] = []
        for (const part of expression.of) of.push(await conditionOn(model, part))
        return { kind: expression.kind, of: of.sort((a, b) => costOf(a) - costOf(b)) }
      }
      case 'not':
        return { kind: 'not', of: await conditionOn(model, expression.of) }
      case 'test':
        return testOn(model, expression)
    }
  }

  async function testOn(model: string, one: Test): Promise<Condition> {
    const { field, predicate } = one
    const { via, target } = field
    const test = columnTest(predicate)
    if (via && target) {
      const numbers =
        via.refersTo === peopleTarget
          ? numbersOf(await namesIn(model, via), (id, name) => test.passes(target.name === 'id' ? id : name))
          : await passingOf(via, { kind: 'test', field: target, predicate })
      return { kind: 'numbers', column: via.name, numbers }
    }
    if (field.name === 'id' || field.name === 'version') return { kind: field.name, test }
    if (field.name === 'tenant_id') return { kind: 'constant', passes: test.passes(tenant.id) }
    return { kind: 'column', column: field.name, longTexts: longTextsOf(one), test }
  }

  /** For each id of the referenced table 1 where the record passes and the viewer may see it. */
  async function passingOf(via: QueryField, test: Test): Promise<Uint8Array> {
    const passing = await maskOf(via.refersTo as string, test)
    const seen = via.visible && (await visibleOf(via))
    if (seen) for (let id = 0; id < passing.length; id += 1) passing[id] = (passing[id] as number) & (seen[id] ?? 0)
    return passing
  }

  function visibleOf({ refersTo, visible: limit }: QueryField): Promise<Uint8Array> {
    const model = refersTo as string
    const known = visible.get(model)
    if (known) return known
    const reading = maskOf(model, limit as Expression)
    visible.set(model, reading)
    return reading
  }

  /** For each id of a table 1 where its record lives and passes. */
  async function maskOf(model: string, expression: Expression): Promise<Uint8Array> {
    const view = viewOf(model)
    const passing = new Uint8Array(view.last + 1)
    for await (const { chunk, positions } of selectChunks({
      view,
      condition: await conditionOn(model, expression),
      turn,
    }))
      for (const position of positions()) passing[chunk * chunkIds + position] = 1
    return passing
  }

  function namesIn(model: string, via: QueryField): Promise<ReadonlyMap<number, string>> {
    const name = `${model}\n${via.name}`
    const known = names.get(name)
    if (known) return known
    const reading = readNames(store, tenant, viewOf(model), via.name)
    names.set(name, reading)
    return reading
  }

  /** The keys of a field in queries over `model`. */
  async function keysOn(model: string, field: QueryField): Promise<KeySource> {
    const { via, target } = field
    const view = viewOf(model)
    if (!via || !target) return ownKeys(view, field, tenant.id)
    if (via.refersTo === peopleTarget) {
      const people = await namesIn(model, via)
      const inner = target.name === 'id' ? peopleIds(people) : peopleNames(people)
      const keys = new Float64Array(largest(people.keys()) + 1).fill(Number.NaN)
      for (const [id, name] of people) keys[id] = target.name === 'id' ? id : prefixOf(name)
      return referenceKeys(view, via.name, keys, inner)
    }
    const referred = viewOf(via.refersTo as string)
    const inner = await keysOn(via.refersTo as string, target)
    const seen = via.visible && (await visibleOf(via))
    const keys = new Float64Array(referred.last + 1).fill(Number.NaN)
    for await (const { chunk, positions } of selectChunks({ view: referred, condition: everyRecord, turn })) {
      const found = positions()
      const some = new Float64Array(found.length)
      inner.read(chunk, found, some, 0)
      for (let i = 0; i < found.length; i += 1) {
        const id = chunk * chunkIds + (found[i] as number)
        if (!seen || seen[id] === 1) keys[id] = some[i] as number
      }
    }
    return referenceKeys(view, via.name, keys, inner)
  }

  return { conditionOn, keysOn }
}

type Names = ReadonlyMap<number, string>

const peopleIds = (people: Names): InnerKeys => ({
  isExact: true,
  valuesOf: (ids) => Array.from(ids, (id) => (people.has(id) ? id : undefined)),
  keyOf: Number,
})
const peopleNames = (people: Names): InnerKeys => ({
  isExact: false,
  valuesOf: (ids) => Array.from(ids, (id) => people.get(id)),
  keyOf: (value) => prefixOf(String(value)),
})

const largest = (ids: Iterable<number>): number => {
  let most = 0
  for (const id of ids) if (id > most) most = id
  return most
}

function numbersOf(people: Names, passes: (id: number, name: string) => boolean): Uint8Array {
  const numbers = new Uint8Array(largest(people.keys()) + 1)
  for (const [id, name] of people) if (passes(id, name)) numbers[id] = 1
  return numbers
}

/** The cheap parts of a filter are evaluated first: they often leave little, or nothing, of a chunk. */
function costOf(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, part) => sum + costOf(part), 0)
    case 'not':
      return costOf(condition.of)
    case 'column': {
      const { op } = condition.test.predicate
      return op === 'contains' ? 20 : op === 'starts' || op === 'ends' || op === 'same' ? 10 : 1
    }
    case 'id':
    case 'version':
      return 5
    default:
      return 1
  }
}
