import { describe, expect, it } from 'vitest'
import { createTextCache } from '../../infra/local/text-cache.ts'

describe('the cache of texts', () => {
  it('keeps what is read again and again, and no more than two generations', () => {
    const cache = createTextCache(10)
    cache.keep('who is asking', 'ann')
    for (let n = 0; n < 100; n++) {
      cache.keep(`passing ${n}`, 'text')
      expect(cache.get('who is asking')).toBe('ann')
    }
    const kept = Array.from({ length: 100 }, (_, n) => cache.get(`passing ${n}`)).filter((text) => text !== undefined)
    expect(kept.length).toBeLessThanOrEqual(20)
  })

  it('forgets what changed, in whichever generation it is', () => {
    const cache = createTextCache(2)
    for (const key of ['a', 'b', 'c']) cache.keep(key, key)
    for (const key of ['a', 'b', 'c']) cache.forget(key)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, undefined, undefined])
  })

  it('leaves long texts alone', () => {
    const cache = createTextCache()
    cache.keep('long', 'x'.repeat(5000))
    expect(cache.get('long')).toBeUndefined()
  })
})
