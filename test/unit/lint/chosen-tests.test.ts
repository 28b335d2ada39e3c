import { describe, expect, it } from 'vitest'
import { chosenTests, longer, mostParts, partsOf, type Suite, testsOf } from '../../chosen-tests.ts'

const all = { deep: testsOf('deep'), servers: testsOf('servers') }
const choose = (suite: Suite, changed: readonly string[], seed = 'a') =>
  chosenTests({ suite, changed, all: all[suite], seed })

describe('the long tests that a commit is tried with', () => {
  it('include those that take longer', () => {
    expect(Object.keys(longer).filter((test) => ![...all.deep, ...all.servers].includes(test))).toEqual([])
  })

  it.each(['deep', 'servers'] as const)(
    'of %s exist, are as many as there is time for, and differ by the commit',
    (suite) => {
      expect(all[suite].length).toBeGreaterThan(15)
      const seeds = Array.from({ length: 200 }, (_, n) => `commit ${n}`)
      const chosen = seeds.map((seed) => choose(suite, ['README.md'], seed))
      for (const files of chosen) expect(files.reduce((sum, test) => sum + partsOf(test), 0)).toBe(mostParts[suite])
      // Each of them has its turn.
      expect(new Set(chosen.flat()).size).toBe(all[suite].length)
      expect(choose(suite, ['README.md'])).toEqual(choose(suite, ['README.md']))
    },
  )

  it.each([
    ['web/screens/list.tsx', 'test/servers/web-app.test.ts'],
    ['infra/web-app/build-web-app.ts', 'test/servers/web-app.test.ts'],
    ['test/servers/oauth.test.ts', 'test/servers/oauth.test.ts'],
  ])('with servers, after a change of %s, have %s', (changed, test) => {
    for (const seed of ['a', 'b', 'c', 'd', 'e']) expect(choose('servers', [changed], seed)).toContain(test)
  })

  it.each([
    ['shared/lists/query/read.ts', /lists|aws-time|maintenance/],
    ['shared/automation/bpmn/engine/run.ts', /processes|bpmn|faults\/(process|messenger)|aws-time|incoming/],
    ['infra/local/main.ts', /local-start|killed-service|infra\/local/],
  ])('after a change of %s, begin with those that it concerns', (changed, pattern) => {
    for (const seed of ['a', 'b', 'c'])
      for (const test of choose('deep', [changed], seed).slice(0, 3)) expect(test).toMatch(pattern)
  })

  it('are those that were changed before all others', () => {
    const changed = all.deep.slice(0, 3)
    expect(
      choose('deep', ['shared/platform/store/store.ts', ...changed])
        .slice(0, 3)
        .toSorted(),
    ).toEqual(changed)
  })
})
