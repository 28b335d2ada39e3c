import { describe, expect, it } from 'vitest'
import type { Tenant } from '../../../../../shared/kernel/tenancy.ts'
import { createConfig } from '../../../../../shared/platform/store/config.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'

const tenant = { id: 1, configVersion: 1 } as Tenant
const read = ({ name }: { name: string }) => name

/** A store that has the rows of `names`, and counts the reads of each. */
function storeOf(names: readonly string[]) {
  const reads: string[] = []
  const batches: string[][] = []
  const nameIn = ({ sk }: { sk: string }) => sk.slice(sk.indexOf('#') + 1)
  const rowOf = (name: string) => (names.includes(name) ? { name, version: 1, doc: '{}' } : undefined)
  const get = async (_tenant: unknown, key: { sk: string }) => {
    reads.push(nameIn(key))
    return rowOf(nameIn(key))
  }
  const getMany = async (_tenant: unknown, keys: readonly { sk: string }[]) => {
    batches.push(keys.map(nameIn))
    if (keys.some((key) => nameIn(key) === 'failing')) throw new Error('throttled')
    return keys.map((key) => rowOf(nameIn(key)))
  }
  return {
    config: createConfig({ get, getMany } as unknown as Store, { uuid: () => 'u', now: () => 0 }),
    reads,
    batches,
  }
}

describe('the configuration cache', () => {
  it('keeps what exists, and what does not exist while few such names are asked for', async () => {
    const { config, reads } = storeOf(['known'])
    for (let time = 0; time < 3; time += 1)
      for (const name of ['known', 'unknown']) await config.get(tenant, 'TABLE', name, read)
    expect(reads).toEqual(['known', 'unknown'])
  })

  it('forgets unknown names when there are many, and no known one', async () => {
    const { config, reads } = storeOf(['known'])
    const ask = (name: string) => config.get(tenant, 'TABLE', name, read)
    await ask('known')
    for (let n = 0; n < 1000; n += 1) await ask(`unknown${n}`)
    await ask('unknown0')
    await ask('unknown999')
    await ask('known')
    expect(reads.filter((name) => name === 'known')).toHaveLength(1)
    expect(reads.filter((name) => name === 'unknown0')).toHaveLength(2)
    expect(reads.filter((name) => name === 'unknown999')).toHaveLength(1)
  })

  it('reads several rows ahead in one call, each for one configuration version', async () => {
    const { config, reads, batches } = storeOf(['a', 'b', 'c'])
    const ask = (name: string, version = 1) =>
      config.get({ ...tenant, configVersion: version } as Tenant, 'TABLE', name, read)
    const wanted = ['a', 'b', 'none', 'x'.repeat(300)].map((name) => ['TABLE', name] as const)
    config.readAhead(tenant, wanted)
    config.readAhead(tenant, wanted)
    expect(await Promise.all([ask('a'), ask('none'), ask('a')])).toEqual(['a', undefined, 'a'])
    expect({ reads, batches }).toEqual({ reads: [], batches: [['a', 'b', 'none']] })
    config.readAhead(tenant, [...wanted, ['TABLE', 'c']])
    expect(await Promise.all([ask('b', 2), ask('c', 2)])).toEqual(['b', 'c'])
    expect({ reads, batches }).toEqual({ reads: ['b', 'c'], batches: [['a', 'b', 'none']] })
  })

  it('tells of a failed read ahead whoever asks for the row, and reads it again afterwards', async () => {
    const { config, reads } = storeOf(['a'])
    config.readAhead(tenant, [
      ['TABLE', 'a'],
      ['TABLE', 'failing'],
    ])
    await expect(config.get(tenant, 'TABLE', 'a', read)).rejects.toThrow('throttled')
    expect(await config.get(tenant, 'TABLE', 'a', read)).toBe('a')
    expect(reads).toEqual(['a'])
  })

  describe('of rows that were read in one call with the row of their tenant', () => {
    const askedAtMs = 1_000_000
    const wanted = [['TABLE', 'a'] as const]
    const offered = [{ name: 'a', version: 1, doc: '{}' }]
    const changed = (configChangedAtMs: number | undefined) => ({ ...tenant, configChangedAtMs }) as Tenant

    it('keeps those that are no older than the version', async () => {
      const { config, reads } = storeOf(['a'])
      expect(config.notCached(tenant, wanted)).toEqual(wanted)
      const settled = changed(askedAtMs - 60_000)
      config.offer(settled, wanted, offered, askedAtMs)
      expect(config.notCached(tenant, wanted)).toEqual([])
      expect([await config.get(settled, 'TABLE', 'a', read), reads]).toEqual(['a', []])
      expect(config.notCached(tenant, [...wanted, ['TABLE', 'b'], ['TABLE', 'x'.repeat(300)]])).toEqual([
        ['TABLE', 'b'],
      ])
    })

    it.each([
      ['changed shortly before', askedAtMs - 59_999],
      ['changed meanwhile', askedAtMs + 5],
      ['changed at a time that is not known', undefined],
    ])('ignores them when the configuration %s', async (_, at) => {
      const { config, reads } = storeOf(['a'])
      config.offer(changed(at), wanted, offered, askedAtMs)
      expect([await config.get(changed(at), 'TABLE', 'a', read), reads]).toEqual(['a', ['a']])
    })
  })

  it('keeps no long unknown name', async () => {
    const { config, reads } = storeOf([])
    for (let time = 0; time < 2; time += 1) await config.get(tenant, 'TABLE', 'x'.repeat(9000), read)
    expect(reads).toHaveLength(2)
  })
})
