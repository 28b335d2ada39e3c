import { describe, expect, it } from 'vitest'
import { createTextCache, type TextCache } from '../../../../../../infra/local/runtime/storage/text-cache.ts'

const read = (cache: TextCache, key: string, text: string): void => {
  cache.keep(key, text)
  cache.keep(key, text)
}

describe('the text cache', () => {
  it('does not keep what is read once', () => {
    const cache = createTextCache(10)
    cache.keep('once', 'text')
    expect(cache.get('once')).toBeUndefined()
    cache.keep('once', 'text')
    expect(cache.get('once')).toBe('text')
  })

  it('drops what was not read for long', () => {
    const cache = createTextCache(10)
    cache.keep('once', 'text')
    for (let n = 0; n < 100; n++) cache.keep(`passing ${n}`, 'text')
    cache.keep('once', 'text')
    expect(cache.get('once')).toBeUndefined()
  })

  it('keeps what is read repeatedly, and at most two generations', () => {
    const cache = createTextCache(10)
    read(cache, 'who is asking', 'ann')
    for (let n = 0; n < 100; n++) {
      read(cache, `passing ${n}`, 'text')
      expect(cache.get('who is asking')).toBe('ann')
    }
    const kept = Array.from({ length: 100 }, (_, n) => cache.get(`passing ${n}`)).filter((text) => text !== undefined)
    expect(kept.length).toBeLessThanOrEqual(20)
  })

  it('forgets a changed text in either generation', () => {
    const cache = createTextCache(2)
    for (const key of ['a', 'b', 'c']) read(cache, key, key)
    for (const key of ['a', 'b', 'c']) cache.forget(key)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, undefined, undefined])
  })

  it('does not keep long texts', () => {
    const cache = createTextCache()
    read(cache, 'long', 'x'.repeat(5000))
    expect(cache.get('long')).toBeUndefined()
  })
})
