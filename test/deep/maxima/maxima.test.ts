import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullDepth } from '../../make/depth.ts'
import { axes } from './axes.ts'
import { coveringTriples, subsets } from './combinations.ts'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import type { Axis } from './plan.ts'

/*
 * Every declared limit at its maximum: alone, and by three. So few threes are chosen that every two limits meet in one of
 * them, and a sixth of these runs: another one for each `MAXIMA_SEED`. `MAXIMA=pairs` runs all of them, `MAXIMA=all` every
 * two and every three limits, `MAXIMA_SLICE=2/5` the second fifth of those. What a three is refused for says nothing of its
 * twos, which then run by themselves.
 */

const { MAXIMA, MAXIMA_SEED = '1', MAXIMA_SLICE = MAXIMA === undefined && !isFullDepth ? '1/6' : '1/1' } = process.env
const [slice = 1, slices = 1] = MAXIMA_SLICE.split('/').map(Number)
const chosen =
  MAXIMA === 'all' ? [...subsets(axes, 2), ...subsets(axes, 3)] : coveringTriples(axes, Number(MAXIMA_SEED))
const drawn = chosen.filter((_, at) => at % slices === slice - 1)
const named = (some: readonly Axis[]): string => some.map(({ name }) => name).join(', ')

/** What happens in every case that is not refused, and in those with processes. */
const operations =
  'create,update,list,history,delete,restore,import,export,reindex,configuration,dry run of the same configuration,same configuration'.split(
    ',',
  )
const steps = ['start', 'complete', 'advance']

let laboratory: Laboratory
beforeAll(async () => {
  laboratory = await openLaboratory()
})
afterAll(() => laboratory?.stop())

describe('at the maximum', () => {
  it.each(axes.map((axis) => [axis.name, axis] as const))(
    'of %s every operation succeeds',
    { timeout: 240_000 },
    async (_, axis) => {
      const { broken, answers, refused, incidents } = await laboratory.run([axis])
      expect([...broken, ...incidents, ...[...refused].map((step) => step.join(': '))]).toEqual([])
      const wanted = answers.has('process') ? [...operations, ...steps] : operations
      expect(wanted.filter((step) => !answers.has(step))).toEqual([])
      expect(answers.get('import ended')).toContain('"failed":0')
      const { step, says } = axis.shows ?? { step: 'create', says: /^201 / }
      expect(answers.get(step)).toMatch(says)
    },
  )
})

describe('beyond the maximum', () => {
  it.each(axes.flatMap((axis) => (axis.beyond ? [[axis.name, axis, axis.beyond] as const] : [])))(
    'of %s the refusal says what is possible',
    { timeout: 240_000 },
    async (_, axis, { step, says }) => {
      const { broken, refused, incidents } = await laboratory.exceed(axis)
      expect(broken).toEqual([])
      expect(step === 'incident' ? incidents[0] : refused.get(step)).toMatch(says)
    },
  )
})

describe('together: each operation succeeds or says why not, and nobody else suffers', () => {
  it.each(drawn.map((some) => [named(some), some] as const))('%s', { timeout: 240_000 }, async (_, some) => {
    const { broken, refused } = await laboratory.run(some)
    expect(broken).toEqual([])
    if (refused.size === 0 || some.length < 3) return
    for (const pair of subsets(some, 2))
      expect([named(pair), (await laboratory.run(pair)).broken]).toEqual([named(pair), []])
  })
})

it('leaves records, links, files, histories, configuration and queues consistent', { timeout: 180_000 }, async () => {
  expect(await laboratory.settle()).toEqual([])
})
