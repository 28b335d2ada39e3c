import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kindOfCode } from '../../../../../shared/kernel/failures/failure-codes.ts'
import { amountOf } from '../../../../../shared/platform/http/openapi/limits/explained.ts'
import { limitAreas } from '../../../../../shared/platform/http/openapi/limits/limit-areas.ts'
import { internalBounds, literalBounds } from './internal-bounds.ts'
import { limitsDocument } from './limits-document.ts'

const root = join(import.meta.dirname, '../../../../..')
const sources = globSync('{shared,functions}/**/*.ts', { cwd: root })
  .filter(
    (file) =>
      !file.includes('node_modules') &&
      !file.startsWith('shared/kernel/limits/') &&
      !file.startsWith('shared/platform/http/openapi/limits/'),
  )
  .toSorted()
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const every = limitAreas.flatMap(({ limits }) => limits)

describe('a limit', () => {
  it('stands in the catalogue, or is an internal bound with a reason', () => {
    const found = sources.flatMap((file) =>
      [...textOf(file).matchAll(/\bconst (max[A-Z]\w*)\b/g)].map(([, name]) => `${file}#${name}`),
    )
    const allowed = Object.values(internalBounds).flat()
    expect(found.filter((bound) => !allowed.includes(bound))).toEqual([])
    expect(allowed.filter((bound) => !found.includes(bound))).toEqual([])
  })

  it('is called max', () => {
    const others = sources.flatMap((file) =>
      [...textOf(file).matchAll(/\bconst ((?:most|longest|largest)[A-Z]\w*|[a-z]\w*Max) = \d/g)].map(
        ([, name]) => `${file}#${name}`,
      ),
    )
    expect(others).toEqual([])
  })

  it('is no number in a schema', () => {
    const found = sources.flatMap((file) =>
      [...textOf(file).matchAll(/(?<!Math)\.(?:max|lte)\(([\d_]+)[,)]/g)].map(([, number]) => `${file} ${number}`),
    )
    expect([...new Set(found)].toSorted()).toEqual([...literalBounds].toSorted())
  })

  it('has a name of its own, a positive value, and says what happens beyond it', () => {
    const names = every.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
    for (const { name, value, unit, what, beyond } of every) {
      expect([name, Number.isSafeInteger(value) && value > 0]).toEqual([name, true])
      expect([name, unit.length > 0 && what.length > 0 && beyond.length > 0]).toEqual([name, true])
    }
  })

  it('names a code that exists', () => {
    const named = every.flatMap(({ beyond }) => [...beyond.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word))
    const known: readonly string[] = Object.keys(kindOfCode)
    const members = [
      'per_page',
      'total_exact',
      'table_fields',
      'parent_id',
      'user_ids',
      'comment_ids',
      'not_filled',
      'bpmn_xml',
      'dmn_xml',
      'is_complete',
      'field_mapping',
      'parse_error',
    ]
    expect(named.filter((word) => !known.includes(word) && !members.includes(word))).toEqual([])
  })

  it('reads as people write it', () => {
    expect(amountOf({ value: 64 * 1024, unit: 'bytes' })).toBe('64 KB')
    expect(amountOf({ value: 1_500_000, unit: 'bytes' })).toBe('1,500,000 bytes')
    expect(amountOf({ value: 10_000, unit: 'rows' })).toBe('10,000 rows')
    expect(amountOf({ value: 1500, unit: 'milliseconds' })).toBe('1.5 s')
  })
})

it('docs/limits.md is generated from the catalogue', () => {
  const file = join(root, 'docs/limits.md')
  if (process.env.UPDATE_LIMITS === '1') writeFileSync(file, limitsDocument())
  expect(readFileSync(file, 'utf8')).toBe(limitsDocument())
})
