import { expect, it } from 'vitest'
import { readStorableUpdate } from '../../../../../../shared/messages/messenger/incoming/storable-update.ts'

const nested = (depth: number): unknown => (depth === 0 ? 'deep' : { in: nested(depth - 1) })

it('an update is stored as it is', () => {
  const update = {
    update_id: 1,
    message: { text: 'Hi\u0000\n', chat: { id: -1_001_234_567_890 }, entities: [null, true] },
  }
  expect(readStorableUpdate(JSON.stringify(update))).toEqual({ update, cut: [] })
})

it.each(['', 'null', '[]', '4', '"x"', '{"update_id":', '\u0000'])('%j is no update', (text) => {
  expect(readStorableUpdate(text)).toBeUndefined()
})

it.each<[string, string, RegExp]>([
  ['levels over 32', JSON.stringify(nested(40)), /^(in\.)+in: nested deeper/],
  ['names that would change every object', '{"message":{"__proto__":{"x":1},"text":"Hi"}}', /^message\.__proto__: not/],
  [
    'members over 10,000',
    JSON.stringify({ a: Object.fromEntries(Array.from({ length: 10_500 }, (_, n) => [`m${n}`, n])) }),
    /more than 10000/,
  ],
])('leaves %s out, and says so', (_what, text, problem) => {
  expect(readStorableUpdate(text)?.cut).toEqual([expect.stringMatching(problem)])
})

it('survives nesting that would overflow the stack', () => {
  const depth = 200_000
  expect(readStorableUpdate(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)?.cut).toHaveLength(1)
})

it('replaces what is no text and no number', () => {
  const read = readStorableUpdate('{"a":"\\ud800","b":1e999,"c\\udc00":1}')
  expect(read?.update).toEqual({ a: '\ufffd', b: null, 'c\ufffd': 1 })
})

it('keeps the id alone of an update that no answer could hold', () => {
  const update = { update_id: 7, message: { text: '"'.repeat(1_900_000) } }
  expect(readStorableUpdate(JSON.stringify(update))).toEqual({
    update: { update_id: 7 },
    cut: ['the update: too large'],
  })
})

it('keeps the id alone of an update with more elements than a body may hold, without making anything of them', () => {
  const text = `{"update_id":7,"message":{"rows":[${Array(1_300_000).fill('[]').join(',')}]}}`
  expect(readStorableUpdate(text)).toEqual({ update: { update_id: 7 }, cut: ['the update: too large'] })
  expect(readStorableUpdate(text.replace('"update_id":7,', ''))).toEqual({ update: {}, cut: ['the update: too large'] })
})
