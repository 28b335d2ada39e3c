import { expect, it } from 'vitest'
import { lruMap } from '../../../../../shared/kernel/collections/lru-map.ts'

const filled = (max: number, keys: string, onForget?: (key: string, value: string) => void) => {
  const map = lruMap<string, string>(max, onForget)
  for (const key of keys) map.set(key, key.toUpperCase())
  return map
}
const kept = (map: ReturnType<typeof filled>) => [...'abcde'].filter((key) => map.has(key)).join('')

it('forgets the entry that was set longest ago when there are too many', () => {
  expect(kept(filled(2, 'abc'))).toBe('bc')
})

it('keeps an entry that was read since', () => {
  const map = filled(2, 'ab')
  expect(map.get('a')).toBe('A')
  map.set('c', 'C')
  expect(kept(map)).toBe('ac')
})

it('keeps an entry that was set again, with its new value', () => {
  const map = filled(2, 'ab')
  map.set('a', 'new')
  map.set('c', 'C')
  expect([kept(map), map.get('a'), map.size]).toEqual(['ac', 'new', 2])
})

it('does not count a look whether there is an entry as a use', () => {
  const map = filled(2, 'ab')
  map.has('a')
  map.set('c', 'C')
  expect(kept(map)).toBe('bc')
})

it('says which entries had to go for others, but not which were deleted', () => {
  const forgotten: string[] = []
  const map = filled(2, 'abc', (key, value) => forgotten.push(key + value))
  map.delete('b')
  map.set('d', 'D')
  expect(forgotten).toEqual(['aA'])
  expect(kept(map)).toBe('cd')
})
