import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
/** How many cases a property may draw in `npm test`; more of them are for the deep tests (`runs` of make/depth.ts). */
const most = 200
const number = (text: string): number => Number(text.replaceAll('_', ''))

/** How many cases a property of a file draws there: a number, or a sample by `runs`. */
const samplesOf = (source: string): number[] =>
  [...source.matchAll(/numRuns: (?:([\d_]+)|runs\(([\d_]+)(?:, ([\d_]+))?\))/g)].map(([, plain, all, sample]) =>
    plain === undefined ? number(sample ?? String(Math.ceil(number(all as string) / 5))) : number(plain),
  )

it('no property draws many samples in npm test', () => {
  const files = globSync('test/{unit,contract,story,template}/**/*.ts', { cwd: root, exclude: ['**/*.deep.test.ts'] })
  const samples = files.map((file) => ({ file, samples: samplesOf(readFileSync(join(root, file), 'utf8')) }))
  expect(samples.flatMap((found) => found.samples).length).toBeGreaterThan(30)
  expect(samples.filter((found) => found.samples.some((count) => count > most))).toEqual([])
})
